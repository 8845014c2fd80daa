package io.koopstream.io;

import java.util.List;

/**
 * One tensor of a model file.
 *
 * @param name what it is called
 * @param kind what it is in memory
 * @param rows the first extent in the file
 * @param columns the second extent in the file; 1 where there is none
 */
record ModelPart(String name, Kind kind, int rows, int columns) {

    /** What a tensor is in memory. */
    enum Kind {
        /** Points, one per row. */
        POINTS,
        /** A matrix. */
        MATRIX,
        /** A matrix whose rows are the columns of the one in memory. */
        TRANSPOSED,
        /** A matrix of one column. */
        VECTOR,
        /** Whole numbers. */
        NUMBERS
    }

    /** True if it changes at most when a point is kept or dropped; such tensors come first. */
    boolean isDictionary() {
        return switch (name) {
            case ModelLayout.X, ModelLayout.X_NEXT, ModelLayout.L_X, ModelLayout.L_X_NEXT -> true;
            default -> ModelKernels.isScales(name);
        };
    }

    /** The extents in the file. */
    List<Long> shape() {
        return kind == Kind.VECTOR || kind == Kind.NUMBERS
                ? List.of((long) rows)
                : List.of((long) rows, (long) columns);
    }

    String dtype() {
        return kind == Kind.NUMBERS ? "I64" : "F64";
    }
}
