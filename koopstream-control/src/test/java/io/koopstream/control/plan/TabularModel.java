package io.koopstream.control.plan;

import io.koopstream.control.dynamics.SuccessorModel;
import io.koopstream.control.dynamics.SuccessorWeights;
import io.koopstream.control.env.ActionGrid;

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

            private double[][] states = new double[0][];

            @Override
            public void at(double[]... block) {
                states = block;
            }

            @Override
            public void successors(int state, int a, SuccessorWeights out) {
                int current = (int) Math.round(states[state][0]);
                out.clear();
                for (int j = 0; j < probabilities.length; j++) {
                    out.add(j, probabilities[current][a][j]);
                }
            }
        };
    }
}
