/** Answers of a learned model as records, from a file or a live stream. */
module io.koopstream.answers {
    requires transitive io.koopstream.io;
    requires transitive io.koopstream.experiments;

    exports io.koopstream.answers;
}
