package io.koopstream.lab.server;

import io.koopstream.server.durable.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** How fast a server answers while nothing is learned. */
final class AnswerLoad {

    private final ServerLoad load;

    AnswerLoad(ServerLoad load) {
        this.load = load;
    }

    /** Many readers of a spectrum that does not change, with and without the tag of what they have, beside questions to {@code /health}. */
    void unchanged() throws Exception {
        ServerLoad.say("| nothing is learned | answers/s |");
        ServerLoad.say("|---|---|");
        try (ServerLoad.Subject subject = new ServerLoad.Subject(Durability.OS)) {
            ServerLoad.send(
                    subject,
                    load.requests(subject, ServerLoad.Form.PACKED),
                    (long) ServerLoad.BATCH * ServerLoad.BATCHES);
            String tag;
            try (Connection connection = subject.connect()) {
                byte[] plain = subject.request("GET", "/models/wells/spectrum?k=6", "", new byte[0]);
                connection.exchange(plain);
                tag = connection.tag();
            }
            Map<String, byte[]> questions = new LinkedHashMap<>();
            questions.put("/health", subject.request("GET", "/health", "", new byte[0]));
            questions.put("spectrum", subject.request("GET", "/models/wells/spectrum?k=6", "", new byte[0]));
            questions.put(
                    "spectrum, If-None-Match",
                    subject.request(
                            "GET", "/models/wells/spectrum?k=6", "", new byte[0], "If-None-Match: " + tag + "\r\n"));
            for (int round = 0; round < 2; round++) {
                for (Map.Entry<String, byte[]> question : questions.entrySet()) {
                    double rate = rate(subject, question.getValue());
                    if (round > 0) {
                        ServerLoad.say("| %s, %d connections | %,.0f |", question.getKey(), ServerLoad.READERS, rate);
                    }
                }
            }
        }
    }

    /** Answers per second to one question over three seconds. */
    private static double rate(ServerLoad.Subject subject, byte[] question) throws InterruptedException {
        AtomicBoolean end = new AtomicBoolean();
        AtomicLong answers = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int r = 0; r < ServerLoad.READERS; r++) {
            Thread thread = new Thread(() -> ServerLoad.read(subject, new byte[][] {question}, 0, end, answers));
            thread.start();
            threads.add(thread);
        }
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(3);
        end.set(true);
        double seconds = (System.nanoTime() - start) / 1e9;
        for (Thread thread : threads) {
            thread.join();
        }
        return answers.get() / seconds;
    }

    /** 100 steps with 200 paths at m = 200: the first question to a view, for which what held-out runs say is found, and those after it. */
    void forecasts() throws Exception {
        ServerLoad.say("| forecast of 100 steps, 200 paths, %d kept | p50 | p90 |", 200);
        ServerLoad.say("|---|---|---|");
        Map<String, String> settings =
                Map.of("kernel", ServerLoad.KERNEL, "epsilon", "0.01", "maxDictionary", "200", "dt", "0.1");
        try (ServerLoad.Subject subject = new ServerLoad.Subject(Durability.OS, settings)) {
            List<byte[]> requests = load.requests(subject, ServerLoad.Form.PACKED);
            ServerLoad.send(subject, requests, (long) ServerLoad.BATCH * ServerLoad.BATCHES);
            int views = 30;
            int each = 10;
            byte[][] questions = new byte[each][];
            for (int i = 0; i < each; i++) {
                // Each with paths of its own: the same question would be answered from memory.
                questions[i] = subject.request(
                        "POST",
                        "/models/wells/forecast?quantiles=0.025,0.1,0.25,0.75,0.9,0.975&seed=" + i,
                        "application/json",
                        "{\"from\":[0.5,0.5],\"steps\":100}".getBytes(StandardCharsets.UTF_8));
            }
            List<Long> first = new ArrayList<>();
            List<Long> later = new ArrayList<>();
            for (int v = -views; v < views; v++) {
                ServerLoad.send(subject, requests, ServerLoad.BATCH);
                try (Connection connection = subject.connect()) {
                    for (int i = 0; i < each; i++) {
                        long start = System.nanoTime();
                        int status = connection.exchange(questions[i]);
                        if (status != 200) {
                            throw new IllegalStateException("status " + status);
                        }
                        if (v >= 0) {
                            (i == 0 ? first : later).add(System.nanoTime() - start);
                        }
                    }
                }
            }
            for (List<Long> times : List.of(first, later)) {
                times.sort(null);
                ServerLoad.say(
                        "| %s, %d kept | %.1f ms | %.1f ms |",
                        times == first ? "first of a view" : "next ones",
                        subject.model.view().dictionarySize(),
                        times.get(times.size() / 2) / 1e6,
                        times.get(times.size() * 9 / 10) / 1e6);
            }
        }
    }
}
