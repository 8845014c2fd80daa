package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python with numpy reads every array that the commands write, and numpy's arrays are read by the commands. */
class PythonReadsTest {

    @TempDir
    Path folder;

    @Test
    void numpyReadsWhatKoopWritesAndTheOtherWayRound() throws Exception {
        assumeTrue(python("import numpy").code() == 0, "skipped: python3 with numpy is not installed");
        Path data = folder.resolve("w.npy");
        Path model = folder.resolve("w.safetensors");
        run("simulate", "fourwell", "--trajectories", 20, "--steps", 50, "-o", data);
        run("learn", data, "-o", model);
        run("export", model, "-o", folder.resolve("arrays"));
        run("eigenfunctions", model, "-k", 3, "--at", data, "-o", folder.resolve("f.npy"));
        run("sets", model, "-k", 4, "--at", data, "-o", folder.resolve("k.npy"));
        run("forecast", model, "--from", "1,1", "--steps", 7, "-o", folder.resolve("p.npy"));
        CommandRun checked = python("""
                import numpy as np, json
                a = np.load('w.npy'); assert a.shape == (20, 51, 2) and a.dtype == np.float64
                x = np.load('arrays/x.npy'); y = np.load('arrays/x_next.npy'); W = np.load('arrays/W.npy')
                assert W.shape == (len(y), len(x)) and x.shape[1] == y.shape[1] == 2
                config = json.load(open('arrays/config.json')); assert config['dictionary'] == max(len(x), len(y))
                f = np.load('f.npy'); assert f.shape == (1020, 3) and f.dtype == np.complex128
                k = np.load('k.npy'); assert k.shape == (1020,) and k.dtype == np.int64 and k.max() == 3
                p = np.load('p.npy'); assert p.shape == (2, 7, 2) and np.isfinite(p).all()
                for i, order in enumerate('CF'):
                    for dtype in ('<f4', '>f8'):
                        np.save(f'back{i}{dtype[1:]}.npy', np.asarray(a.astype(dtype), order=order))
                np.savez('pairs.npz', x=a[:, :-1].reshape(-1, 2), x_next=a[:, 1:].reshape(-1, 2))
                np.savez_compressed('runs.npz', a=a[0], b=a[1])
                """);
        assertThat(checked.code()).as(checked.err()).isZero();
        for (String name : List.of("back0f4.npy", "back0f8.npy", "back1f4.npy", "back1f8.npy", "pairs.npz")) {
            String json = run("learn", folder.resolve(name), "-o", folder.resolve(name + ".st"), "--json");
            assertThat(json).as(name).contains("\"samples\":1000");
        }
        assertThat(run("learn", folder.resolve("runs.npz"), "-o", folder.resolve("r.st"), "--json"))
                .contains("\"samples\":100");
    }

    private static String run(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.FINE);
        return run.out();
    }

    private CommandRun python(String script) throws IOException, InterruptedException {
        return process(folder, List.of("python3", "-c", script));
    }

    /** Runs a program; exit code 127 when there is none. */
    static CommandRun process(Path folder, List<String> words) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(new ArrayList<>(words))
                    .directory(folder.toFile())
                    .start();
        } catch (IOException e) {
            return new CommandRun(127, "", e.getMessage());
        }
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandRun(process.waitFor(), out, err);
    }
}
