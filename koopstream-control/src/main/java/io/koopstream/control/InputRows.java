package io.koopstream.control;

import io.koopstream.dictionary.NewtonBasis;
import io.koopstream.kernel.Concatenated;
import io.koopstream.kernel.CoordinateView;
import io.koopstream.kernel.Points;
import io.koopstream.kernel.Rkhs;
import io.koopstream.kernel.Scratch;
import java.util.List;

/**
 * Gram rows κ_Z((x_j, u_j), (x, u_a)) for one state after another and all actions of a grid. When the kernel is a product of one on
 * the state and one on the action, the action's factor is computed once for all states, and the state's once for all actions.
 */
final class InputRows {

    private final Rkhs space;
    private final Points points;
    private final ActionGrid actions;
    private final int stateDimension;
    private final Scratch scratch = new Scratch();
    private final double[] input;
    private final double[] stateFactor;
    /** κ_U(u_j, u_a), one row an action, or null when the kernel is no product. */
    private final double[][] actionFactors;

    private final List<Concatenated.Part> parts;

    InputRows(NewtonBasis inputs, ActionGrid actions, int stateDimension) {
        this.space = inputs.space();
        this.points = inputs.points();
        this.actions = actions;
        this.stateDimension = stateDimension;
        this.input = new double[space.dimension()];
        this.stateFactor = new double[points.size()];
        this.parts = productParts();
        this.actionFactors = parts == null ? null : new double[actions.size()][points.size()];
        for (int a = 0; parts != null && a < actions.size(); a++) {
            System.arraycopy(actions.shared(a), 0, input, stateDimension, actions.dimension());
            partRow(1, actionFactors[a]);
        }
    }

    private List<Concatenated.Part> productParts() {
        return space.kernel() instanceof Concatenated product
                        && product.parts().size() == 2
                        && product.parts().get(0).dimension() == stateDimension
                ? product.parts()
                : null;
    }

    private void partRow(int part, double[] out) {
        int offset = part == 0 ? 0 : stateDimension;
        CoordinateView view = space.view().part(offset, parts.get(part).dimension());
        parts.get(part).kernel().row(view, points, input, out, scratch);
    }

    /** Turns to a state. */
    void at(double[] state) {
        System.arraycopy(state, 0, input, 0, stateDimension);
        if (parts != null) {
            partRow(0, stateFactor);
        }
    }

    /** out_j = κ_Z((x_j, u_j), (x, u_a)). */
    void row(int a, double[] out) {
        if (parts == null) {
            System.arraycopy(actions.shared(a), 0, input, stateDimension, actions.dimension());
            space.kernel().row(space.view(), points, input, out, scratch);
            return;
        }
        double[] actionFactor = actionFactors[a];
        for (int j = 0; j < stateFactor.length; j++) {
            out[j] = stateFactor[j] * actionFactor[j];
        }
    }
}
