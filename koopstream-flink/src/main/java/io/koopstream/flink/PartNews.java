package io.koopstream.flink;

import io.koopstream.io.StatisticsFile;
import io.koopstream.learner.leastsquares.DeltaSender;
import io.koopstream.learner.leastsquares.LeastSquaresState;
import io.koopstream.learner.leastsquares.StatisticsDelta;
import io.koopstream.operator.KoopmanOperator;
import java.io.IOException;
import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * What the parts of one stream tell: of each, what it has added to its statistics since it last told. What was told is state, like the model it was told
 * of, so after a failure a part goes on from where those who add up went back to.
 */
final class PartNews implements Serializable {

    private static final long serialVersionUID = 1L;

    private final LearnSettings settings;
    private final Partitioning parts;
    private final ModelMerge merge;
    /** Of the present key: what was told so far. */
    private transient ValueState<byte[]> told;

    private transient LeastSquaresState start;
    /** Null where nothing comes back. */
    private transient WholeModel whole;

    PartNews(LearnSettings settings, Partitioning parts, ModelMerge merge) {
        this.settings = settings;
        this.parts = parts;
        this.merge = merge;
        merge.requireFitting(ModelMerge.start(settings).config());
    }

    void open(RuntimeContext context) {
        told = context.getState(
                new ValueStateDescriptor<>("told", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        start = ModelMerge.start(settings);
        whole = merge.exchange()
                .map(exchange -> new WholeModel(exchange, parts.stream()))
                .orElse(null);
    }

    /** What predicts for all parts; null where, or as long as, every part predicts for itself. */
    KoopmanOperator predictor() {
        return whole == null ? null : whole.operator();
    }

    /** Tells what the part of the present key has added, and takes over what was agreed on since it last did. */
    void tell(String key, KoopmanModel model, Consumer<ModelRecord> target) throws IOException {
        byte[] before = told.value();
        DeltaSender teller = before == null ? DeltaSender.startingFrom(start) : StatisticsFile.decodeTeller(before);
        StatisticsDelta.Sent<DeltaSender> now = teller.send((LeastSquaresState) model.state(), parts.parts());
        ModelParts.publish(key, now.delta(), settings.blockBytes(), target);
        told.update(StatisticsFile.encode(whole == null ? now.next() : agreeing(now.next(), model)));
    }

    /** A part goes on with a longer dictionary; or, where that grows no more, without points of its own. */
    private DeltaSender agreeing(DeltaSender teller, KoopmanModel model) throws IOException {
        LeastSquaresState agreed = whole.newest();
        int points = agreed == null ? 0 : agreed.dictionarySize();
        boolean full = points == teller.agreed() && points >= merge.maxDictionary() && model.dictionarySize() > points;
        if (points <= teller.agreed() && !full) {
            return teller;
        }
        LeastSquaresState own = (LeastSquaresState) model.state();
        WholeModel.requireBegins(agreed, own.settled(), teller.agreed());
        LeastSquaresState moved = own.on(agreed);
        model.learnOn(moved);
        return teller.agreeing(moved);
    }
}
