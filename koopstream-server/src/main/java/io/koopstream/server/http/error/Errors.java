package io.koopstream.server.http.error;

import io.koopstream.InvalidConfigException;
import io.koopstream.InvalidQueryException;
import io.koopstream.InvalidSampleException;
import io.koopstream.answers.NotReadyException;
import io.koopstream.forecast.Forecaster;
import io.koopstream.forecast.UnknownStartException;
import io.koopstream.server.durable.DamagedDataException;
import io.koopstream.server.durable.OutdatedDataException;
import io.koopstream.server.durable.StorageFailedException;
import io.koopstream.server.durable.StorageFullException;
import io.koopstream.server.engine.BusyException;
import io.koopstream.server.engine.LimitException;
import io.koopstream.server.engine.ModelExistsException;
import io.koopstream.server.engine.ModelFailedException;
import io.koopstream.server.engine.SequenceException;
import io.koopstream.server.engine.UnknownModelException;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.policy.UnknownPolicyException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns whatever went wrong into an answer. What was not foreseen is logged here and says nothing about its inside to the caller. */
public final class Errors {

    private static final Logger LOG = System.getLogger(Errors.class.getName());

    private Errors() {}

    /** The answer to something thrown. */
    public static ApiError of(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ApiError error) {
            return error;
        }
        if (cause instanceof SequenceException e) {
            return new ApiError(Code.valueOf(e.kind().name()), e.getMessage())
                    .with("expected", e.expected())
                    .with("given", e.given());
        }
        if (cause instanceof BusyException e) {
            return new ApiError(Code.BUSY, e.getMessage())
                    .retryAfter((int) Math.max(1, (e.retryAfter().toMillis() + 999) / 1000))
                    .with("retryAfterMillis", e.retryAfter().toMillis());
        }
        if (cause instanceof InvalidSampleException e) {
            return new ApiError(Code.BAD_SAMPLE, e.getMessage())
                    .with("reason", e.reason().name());
        }
        if (cause instanceof InvalidConfigException e) {
            return new ApiError(Code.BAD_SETTING, e.getMessage()).with("field", e.field());
        }
        if (cause instanceof NotReadyException e) {
            return new ApiError(Code.NOT_READY, e.getMessage());
        }
        if (cause instanceof UnknownStartException e) {
            return new ApiError(
                            Code.UNKNOWN_STATE,
                            String.format(
                                    Locale.ROOT,
                                    "only %.2g of the start is known, less than %s: nothing like it was learned; start closer to the data, or add anyway=true",
                                    e.known(),
                                    Forecaster.REFUSE_BELOW))
                    .with("known", e.known());
        }
        if (cause instanceof InvalidQueryException e) {
            return new ApiError(Code.BAD_QUERY, e.getMessage());
        }
        if (cause instanceof UnknownModelException e) {
            return new ApiError(Code.UNKNOWN_MODEL, e.getMessage());
        }
        if (cause instanceof UnknownPolicyException e) {
            return new ApiError(Code.UNKNOWN_POLICY, e.getMessage());
        }
        if (cause instanceof ModelExistsException e) {
            return new ApiError(Code.MODEL_EXISTS, e.getMessage());
        }
        if (cause instanceof LimitException e) {
            return new ApiError(Code.TOO_LARGE, e.getMessage()).with("limit", e.limit());
        }
        if (cause instanceof StorageFullException e) {
            return new ApiError(Code.STORAGE_FULL, e.getMessage()).retryAfter(5);
        }
        if (cause instanceof ModelFailedException || cause instanceof StorageFailedException) {
            // Their messages may name files. What is wrong was said when it was found; a question about it is no news.
            LOG.log(Level.DEBUG, cause.getMessage());
            if (cause.getCause() instanceof OutdatedDataException) {
                return new ApiError(
                        Code.MODEL_FAILED,
                        "this model was saved by an older release and cannot be continued, so it is set aside and its files are unchanged; the server log says more. Delete it, create it again and send its samples, or keep using the release that saved it");
            }
            if (cause.getCause() instanceof DamagedDataException) {
                return new ApiError(
                        Code.MODEL_FAILED,
                        "the files of this model are damaged, so it is set aside and its files are unchanged; the server log says where. Restore it from a backup (koop restore), continue without the lost data (koop repair), or delete the model");
            }
            return new ApiError(
                    Code.MODEL_FAILED,
                    "the model accepts no samples because its storage or memory failed; nothing acknowledged is lost. Resume it (POST /models/NAME/resume) or restart the server; the server log says more");
        }
        if (cause instanceof OutOfMemoryError) {
            LOG.log(Level.WARNING, "not enough memory for an answer");
            return new ApiError(
                            Code.BUSY,
                            "there is not enough memory for this answer now: ask for less, or later, or start the server with more (-Xmx)")
                    .retryAfter(5);
        }
        if (cause instanceof CancellationException) {
            return new ApiError(Code.CLOSING, "the server is closing").retryAfter(1);
        }
        LOG.log(Level.ERROR, "not foreseen", cause);
        return new ApiError(Code.INTERNAL, "the server failed on this request; the server log says why");
    }

    /** A throwable as something that can be thrown anywhere. */
    public static RuntimeException sneaky(Throwable cause) {
        if (cause instanceof RuntimeException e) {
            return e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return new CompletionException(cause);
    }
}
