package io.koopstream.control;

/** A finite problem on the points 0, 1, ..., n − 1 of a line, with given transition probabilities [state][action][next]. */
final class TabularModel implements SuccessorModel {

    private final double[][][] probabilities;

    TabularModel(double[][][] probabilities) {
        this.probabilities = probabilities;
    }

    @Override
    public int stateDimension() {
        return 1;
    }

    @Override
    public int actionDimension() {
        return 1;
    }

    @Override
    public int size() {
        return probabilities.length;
    }

    @Override
    public double[] point(int i) {
        return new double[] {i};
    }

    @Override
    public Query query(ActionGrid actions) {
        return new Query() {

            private int current;

            @Override
            public void at(double[] state) {
                current = (int) Math.round(state[0]);
            }

            @Override
            public void successors(int a, SuccessorWeights out) {
                out.clear();
                for (int j = 0; j < probabilities.length; j++) {
                    out.add(j, probabilities[current][a][j]);
                }
            }
        };
    }
}
