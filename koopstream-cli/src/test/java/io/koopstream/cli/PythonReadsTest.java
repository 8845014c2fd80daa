package io.koopstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.koopstream.cli.shell.Exit;
import io.koopstream.testkit.Needs;
import io.koopstream.testkit.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python with numpy reads every array that the commands write, and numpy's arrays are read by the commands. */
@Needs(Program.PYTHON)
class PythonReadsTest {

    @TempDir
    Path folder;

    /** One of everything a user can have written. */
    private void writeEverything() throws IOException {
        Path data = folder.resolve("w.npy");
        Path model = folder.resolve("w.safetensors");
        run("simulate", "fourwell", "--trajectories", 20, "--steps", 50, "-o", data);
        run("learn", data, "-o", model, "--names", "α,b c", "--report", folder.resolve("w.html"), "--holdout", 0.2);
        run("export", model, "-o", folder.resolve("arrays"));
        Files.writeString(
                folder.resolve("leading.json"),
                CommandRun.of("spectrum", model, "-k", 1, "--json").out());
        for (String ending : List.of("npy", "csv", "parquet")) {
            run("simulate", "fourwell", "--trajectories", 20, "--steps", 50, "-o", folder.resolve("s." + ending));
            run("eigenfunctions", model, "-k", 3, "--at", data, "-o", folder.resolve("f." + ending));
            run("sets", model, "-k", 4, "--at", data, "-o", folder.resolve("k." + ending));
            run("forecast", model, "--from", "1,1", "--steps", 7, "-o", folder.resolve("p." + ending));
        }
        for (String ending : List.of("png", "svg")) {
            run("spectrum", model, "--plot", folder.resolve("spectrum." + ending));
            run("spectrum", model, "--holdout", data, "--pseudospectrum", folder.resolve("pseudospectrum." + ending));
            run("eigenfunctions", model, "--plot", folder.resolve("maps." + ending));
            run("sets", model, "-k", 4, "--plot", folder.resolve("sets." + ending));
            run("forecast", model, "--from", "1,1", "--plot", folder.resolve("forecast." + ending));
        }
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }

    @Test
    void pythonReadsEverythingKoopWrites() throws Exception {
        writeEverything();
        Path model = folder.resolve("w.safetensors");
        write("info.json", run("info", model, "--json"));
        write("spectrum.json", run("spectrum", model, "--holdout", folder.resolve("w.npy"), "--json"));
        write("forecast.json", run("forecast", model, "--from", "1,1", "--steps", 7, "--json"));
        try (InputStream script = PythonReadsTest.class.getResourceAsStream("/read_parquet.py")) {
            Files.copy(script, folder.resolve("read_parquet.py"));
        }
        CommandRun checked = python(CHECK_ARRAYS + CHECK_PARQUET + CHECK_MODEL + CHECK_PICTURES);
        assertThat(checked.code()).as(checked.err()).isZero();
        assertThat(checked.out()).contains("all read");
    }

    private static final String CHECK_ARRAYS = """
            import json, struct, urllib.parse, zlib
            import numpy as np
            a = np.load('s.npy'); assert a.shape == (20, 51, 2) and a.dtype == np.float64
            x = np.load('arrays/x.npy'); y = np.load('arrays/x_next.npy'); M = np.load('arrays/M.npy')
            assert M.shape == (len(y), len(x)) and x.shape[1] == y.shape[1] == 2
            A = np.load('arrays/A.npy'); L = np.load('arrays/L.npy'); assert np.array_equal(L, np.tril(L))
            leading = json.load(open('leading.json', encoding='utf-8'))['eigenvalues'][0]
            assert abs(np.max(np.abs(np.linalg.eigvals(A))) - leading['modulus']) < 1e-9
            config = json.load(open('arrays/config.json', encoding='utf-8'))
            assert config['dictionary'] == max(len(x), len(y)) and config['names'] == ['α', 'b c']
            f = np.load('f.npy'); assert f.shape == (1020, 3) and f.dtype == np.complex128
            k = np.load('k.npy'); assert k.shape == (1020,) and k.dtype == np.int64 and k.max() == 4 and k.min() >= 0
            p = np.load('p.npy'); assert p.shape == (3, 1, 7, 2) and np.isfinite(p).all()
            # The tables hold the same numbers, bit for bit.
            def table(name):
                header = open(name, encoding='utf-8').readline().strip().split(',')
                return header, np.loadtxt(name, delimiter=',', skiprows=1, ndmin=2, encoding='utf-8')
            header, rows = table('s.csv')
            assert header == ['trajectory', 'step', 'time', 'x1', 'x2'] and np.array_equal(rows[:, 3:], a.reshape(-1, 2))
            header, rows = table('f.csv')
            assert header[:2] == ['f1_re', 'f1_im'] and np.array_equal(rows[:, 0::2] + 1j * rows[:, 1::2], f)
            header, rows = table('k.csv'); assert header == ['set'] and np.array_equal(rows[:, 0], k)
            header, rows = table('p.csv')
            assert header == ['row', 'step', 'known', 'α', 'b c', 'α_q0.1', 'b c_q0.1', 'α_q0.9', 'b c_q0.9']
            for q in range(3):
                assert np.array_equal(rows[:, 3 + 2 * q:5 + 2 * q], p[q, 0])
            """;

    /** The model file with numpy alone, and the coefficients and a forecast step recomputed from it. */
    private static final String CHECK_MODEL = """
            raw = open('w.safetensors', 'rb').read()
            length = int.from_bytes(raw[:8], 'little')
            header = json.loads(raw[8:8 + length]); meta = header.pop('__metadata__')
            t = {n: np.frombuffer(raw[8 + length + e['data_offsets'][0]:8 + length + e['data_offsets'][1]],
                                  {'F64': '<f8', 'I64': '<i8'}[e['dtype']]).reshape(e['shape']) for n, e in header.items()}
            assert [urllib.parse.unquote(n) for n in meta['names'].split(',')] == ['α', 'b c']
            w, lam = float(meta['weight']), json.load(open('leading.json'))['lambda']
            solved = np.linalg.solve((t['S'] / w + lam * np.eye(len(t['S']))).T, (t['T'] / w).T).T
            assert np.allclose(solved, M, rtol=0, atol=1e-5 * np.abs(M).max()), np.abs(solved - M).max()
            info = json.load(open('info.json', encoding='utf-8')); assert info['version'] == int(meta['hold_out_seen'])
            spectrum = json.load(open('spectrum.json'))['eigenvalues']
            assert [e['modulus'] for e in spectrum] == sorted((e['modulus'] for e in spectrum), reverse=True)
            assert all({'re', 'im', 'timescale', 'residual', 'bias', 'standardError', 'trusted', 'reasons'} <= set(e) for e in spectrum)
            forecast = json.load(open('forecast.json')); assert forecast['levels'] == [0.1, 0.9]
            for q, values in enumerate([forecast['mean'], *forecast['quantiles']]):
                assert np.array_equal(values, p[q, 0])
            """;

    private static final String CHECK_PICTURES = """
            import html.parser, xml.etree.ElementTree as xml
            for name in ('spectrum', 'pseudospectrum', 'maps', 'sets', 'forecast'):
                png = open(name + '.png', 'rb').read(); at, pixels = 8, b''
                assert png[:8] == bytes([137, 80, 78, 71, 13, 10, 26, 10])
                while at < len(png):
                    size, kind = struct.unpack('>I4s', png[at:at + 8]); body = png[at + 8:at + 8 + size]
                    assert zlib.crc32(kind + body) == struct.unpack('>I', png[at + 8 + size:at + 12 + size])[0]
                    if kind == b'IHDR': width, height = struct.unpack('>II', body[:8])
                    if kind == b'IDAT': pixels += body
                    at += 12 + size
                assert len(zlib.decompress(pixels)) == height * (1 + 3 * width) and width > 800
                assert xml.parse(name + '.svg').getroot().tag == '{http://www.w3.org/2000/svg}svg'
            class Images(html.parser.HTMLParser):
                found = 0
                def handle_starttag(self, tag, attributes):
                    assert tag != 'script'
                    if tag == 'img':
                        import base64
                        xml.fromstring(base64.b64decode(dict(attributes)['src'].split('base64,')[1])); self.found += 1
            page = Images(); page.feed(open('w.html', encoding='utf-8').read()); assert page.found >= 3
            print('all read')
            """;

    /** Tables as Parquet, read by a small reader of our own in Python, which shares nothing with the library that wrote them. */
    private static final String CHECK_PARQUET = """
            import read_parquet
            t = read_parquet.read('s.parquet'); assert list(t) == ['trajectory', 'step', 'time', 'x1', 'x2']
            assert t['step'].dtype == np.int64 and np.array_equal(t['trajectory'], np.repeat(np.arange(20), 51))
            assert np.array_equal(np.stack([t['x1'], t['x2']], 1), a.reshape(-1, 2))
            t = read_parquet.read('f.parquet'); assert np.array_equal(t['f2_re'] + 1j * t['f2_im'], f[:, 1])
            t = read_parquet.read('k.parquet'); assert np.array_equal(t['set'], k)
            t = read_parquet.read('p.parquet'); assert np.array_equal(t['α'], p[0, 0][:, 0])
            assert np.array_equal(t['b c_q0.1'], p[1, 0][:, 1]) and np.array_equal(t['step'], np.arange(1, 8))
            """;

    @Test
    void koopReadsWhatNumpyWrites() throws Exception {
        run("simulate", "fourwell", "--trajectories", 20, "--steps", 50, "-o", folder.resolve("s.npy"));
        CommandRun checked = python("""
                import numpy as np
                a = np.load('s.npy')
                for i, order in enumerate('CF'):
                    for dtype in ('<f4', '>f8'):
                        np.save(f'back{i}{dtype[1:]}.npy', np.asarray(a.astype(dtype), order=order))
                np.savez('pairs.npz', x=a[:, :-1].reshape(-1, 2), x_next=a[:, 1:].reshape(-1, 2))
                np.savez_compressed('runs.npz', a=a[0], b=a[1])
                """);
        assertThat(checked.code()).as(checked.err()).isZero();
        for (String name : List.of("back0f4.npy", "back0f8.npy", "back1f4.npy", "back1f8.npy", "pairs.npz")) {
            String json = run(
                    "learn",
                    folder.resolve(name),
                    "-o",
                    folder.resolve(name + ".st"),
                    "--kernel",
                    "gaussian(0.5)",
                    "--json");
            assertThat(json).as(name).contains("\"samples\":1000");
        }
        assertThat(run(
                        "learn",
                        folder.resolve("runs.npz"),
                        "-o",
                        folder.resolve("r.st"),
                        "--kernel",
                        "gaussian(0.5)",
                        "--json"))
                .contains("\"samples\":100");
    }

    private static String run(Object... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(Exit.OK);
        return run.out();
    }

    private CommandRun python(String script) throws IOException, InterruptedException {
        return process(folder, List.of(Program.PYTHON.command(), "-c", script));
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
