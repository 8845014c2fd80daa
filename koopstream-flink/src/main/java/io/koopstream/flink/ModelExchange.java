package io.koopstream.flink;

import java.io.IOException;
import java.io.Serializable;
import java.util.OptionalLong;

/**
 * Where the model of a whole stream waits for its parts: the way back that a graph of operators without cycles does not have. The last stage publishes there,
 * under one number after the other, and parts look for the newest at their own pace.
 *
 * <p>What was published under a number stays: a later dictionary begins with every earlier one, so whoever has read any of them can be added to whoever has
 * read another. The exchange outlives failures of the job; a last stage that went back to a checkpoint takes over what it had published since, instead of
 * publishing something else.
 *
 * <p>{@link FolderExchange} is one in files.
 */
public interface ModelExchange extends Serializable {

    /** The highest number that was published for a stream; empty before the first. */
    OptionalLong newest(String stream) throws IOException;

    /**
     * The model that was published under a number.
     *
     * @return the bytes of a model file
     */
    byte[] read(String stream, long number) throws IOException;

    /**
     * Publishes a model under a number that nothing was published under.
     *
     * @param model the bytes of a model file
     * @return false, and nothing has happened, when somebody else has published under that number
     */
    boolean publish(String stream, long number, byte[] model) throws IOException;
}
