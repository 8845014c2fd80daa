package io.koopstream.io;

import io.koopstream.internal.linalg.Matrix;
import io.koopstream.kernel.KernelOutline;
import io.koopstream.kernel.Rkhs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The two kernels of a model as a file has them: texts, and tensors for scales that are too many for a text. An output kernel that is the input
 * kernel has the text of that one and no tensors of its own, so that equal texts are equal kernels.
 *
 * @param input of the input space
 * @param output of the output space
 */
record ModelKernels(KernelOutline input, KernelOutline output) {

    static final String INPUT_SCALES = "input_scales_";
    static final String OUTPUT_SCALES = "output_scales_";

    /** Those of two spaces. */
    static ModelKernels of(Rkhs input, Rkhs output) {
        KernelOutline first = KernelOutline.of(input.kernel(), INPUT_SCALES, HeaderParser.MAX_TEXT);
        boolean same = output.kernel().equals(input.kernel());
        return new ModelKernels(
                first, same ? first : KernelOutline.of(output.kernel(), OUTPUT_SCALES, HeaderParser.MAX_TEXT));
    }

    /** True if any scales are tensors. */
    boolean hasArrays() {
        return !input.arrays().isEmpty() || !output.arrays().isEmpty();
    }

    /** The scales that are tensors, in the order of the file. */
    private Map<String, List<Double>> arrays() {
        Map<String, List<Double>> all = new LinkedHashMap<>(input.arrays());
        all.putAll(output.arrays());
        return all;
    }

    /** The names of those tensors, in the order of the file. */
    List<String> names() {
        return List.copyOf(arrays().keySet());
    }

    /** Adds the tensors. */
    void putTensors(ModelTensors tensors) {
        arrays().forEach((name, scales) -> {
            double[] numbers = scales.stream().mapToDouble(Double::doubleValue).toArray();
            tensors.matrix(name, Matrix.ofColumns(new double[][] {numbers}, numbers.length));
        });
    }

    /** Scales in tensors that were read, by name. */
    static Map<String, List<Double>> read(List<String> names, ModelTensors tensors) {
        Map<String, List<Double>> all = new LinkedHashMap<>();
        for (String name : names) {
            Matrix numbers = tensors.matrix(name);
            List<Double> scales = new ArrayList<>(numbers.rows());
            for (int i = 0; i < numbers.rows(); i++) {
                scales.add(numbers.get(i, 0));
            }
            all.put(name, scales);
        }
        return all;
    }

    /** True for the name of a tensor of scales. */
    static boolean isScales(String name) {
        return name.startsWith(INPUT_SCALES) || name.startsWith(OUTPUT_SCALES);
    }
}
