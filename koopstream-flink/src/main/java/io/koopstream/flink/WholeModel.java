package io.koopstream.flink;

import io.koopstream.flink.state.IncompatibleStateException;
import io.koopstream.io.ModelFile;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.util.OptionalLong;

/** One task's view of what was published of the whole: read when there is something newer, kept until then. It is no part of any state. */
final class WholeModel {

    private final ModelExchange exchange;
    private final String stream;
    private long number = -1;
    private LeastSquaresState state;
    private KoopmanOperator operator;

    WholeModel(ModelExchange exchange, String stream) {
        this.exchange = exchange;
        this.stream = stream;
    }

    /** The newest that was published; null before the first. */
    LeastSquaresState newest() throws IOException {
        OptionalLong newest = exchange.newest(stream);
        if (newest.isPresent() && newest.getAsLong() > number) {
            LeastSquaresState read = (LeastSquaresState) ModelFile.decode(exchange.read(stream, newest.getAsLong()));
            KoopmanOperator predictor = read.predictor().asKoopman();
            // On points that were just agreed on nothing is learned yet: such an operator says nothing.
            operator = !predictor.isZero() ? predictor : operator;
            state = read;
            number = newest.getAsLong();
        }
        return state;
    }

    /** What predicts with all that was last read; null as long as nothing does. */
    KoopmanOperator operator() {
        return operator;
    }

    /** Publishes what comes after the newest that was read. */
    void publish(byte[] model) throws IOException {
        if (!exchange.publish(stream, number + 1, model)) {
            throw new IOException("another task publishes the model of " + stream + " (number " + (number + 1)
                    + "): two jobs must not share an exchange");
        }
    }

    /** Ends a job, for good, whose dictionary is not what the exchange goes on from. */
    static void requireBegins(LeastSquaresState longer, LeastSquaresState shorter, int agreed) {
        if (longer.commonWith(shorter) < agreed) {
            throw new IncompatibleStateException(
                    IncompatibleStateException.Reason.OTHER_SETTINGS,
                    "the exchange holds another dictionary than the " + agreed
                            + " points agreed on; give this job an exchange of its own, or start it without the savepoint");
        }
    }
}
