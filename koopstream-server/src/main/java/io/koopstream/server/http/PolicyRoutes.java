package io.koopstream.server.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.koopstream.control.ControlTask;
import io.koopstream.control.LearnedPolicy;
import io.koopstream.control.LearnedPolicy.Decision;
import io.koopstream.forecast.Forecaster;
import io.koopstream.io.ModelFormatException;
import io.koopstream.server.http.ask.PointsInput;
import io.koopstream.server.http.ask.Question;
import io.koopstream.server.http.error.ApiError;
import io.koopstream.server.http.error.ApiError.Code;
import io.koopstream.server.http.guard.HttpLimits;
import io.koopstream.server.http.guard.ModelNames;
import io.koopstream.server.policy.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Learned controllers: put there, listed, asked what to do. */
final class PolicyRoutes {

    /** Bytes of a policy that may be sent; koop serve --policy takes larger ones. */
    private static final int MAX_POLICY = 32 << 20;

    /** States of a question to model-predictive control, which solves its programs anew for each. */
    private static final int MAX_TRACKED = 64;

    /** Rows of a reference or of a plan: the longest horizon. */
    private static final int MAX_ROWS = 1000;

    private final Policies policies;
    private final HttpLimits limits;
    private final Bodies bodies;
    private final Questions questions;

    PolicyRoutes(Policies policies, HttpLimits limits, Bodies bodies, Questions questions) {
        this.policies = policies;
        this.limits = limits;
        this.bodies = bodies;
        this.questions = questions;
    }

    void register(RoutesConfig routes) {
        ModelRoutes.add(routes, HandlerType.GET, "/policies", context -> {
            new Question(context);
            List<Object> all = new ArrayList<>();
            policies.names().forEach(name -> all.add(info(name)));
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("policies", all);
            answer.put("unreadable", policies.unreadable());
            WebServer.write(context, 200, answer);
        });
        ModelRoutes.add(routes, HandlerType.GET, "/policies/{name}", context -> {
            new Question(context);
            WebServer.write(context, 200, info(name(context)));
        });
        ModelRoutes.add(routes, HandlerType.PUT, "/policies/{name}", this::put);
        ModelRoutes.add(routes, HandlerType.DELETE, "/policies/{name}", context -> {
            new Question(context);
            policies.delete(name(context));
            context.status(204);
        });
        ModelRoutes.add(routes, HandlerType.POST, "/policies/{name}/decide", this::decide);
    }

    private static String name(Context context) {
        return ModelNames.require("policy", context.pathParam("name"));
    }

    private Map<String, Object> info(String name) {
        LearnedPolicy policy = policies.require(name);
        ControlTask task = policy.task();
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("name", name);
        info.put("states", task.stateNames());
        info.put("actions", task.actionNames());
        info.put("low", task.actions().low());
        info.put("high", task.actions().high());
        info.put("cost", task.cost());
        info.put("discount", task.discount());
        info.put("transitions", policy.samples());
        info.put("points", policy.points());
        info.put("tracks", policy.tracks());
        return info;
    }

    private void put(Context context) throws IOException {
        new Question(context);
        String name = name(context);
        if (!Bodies.type(context).equals(Bodies.PACKED)) {
            throw new ApiError(
                    Code.UNSUPPORTED_TYPE,
                    "expected Content-Type: " + Bodies.PACKED + ", the bytes of a file of koop control learn");
        }
        byte[] bytes;
        try (InputStream body = bodies.limited(context, MAX_POLICY, true)) {
            bytes = body.readAllBytes();
        }
        boolean fresh;
        try {
            fresh = policies.put(name, bytes);
        } catch (ModelFormatException e) {
            throw new ApiError(Code.BAD_POLICY, e.getMessage())
                    .with("reason", e.reason().name());
        }
        WebServer.write(context, fresh ? 201 : 200, info(name));
    }

    private void decide(Context context) throws IOException {
        boolean anyway = new Question(context, "anyway").truth("anyway");
        String name = name(context);
        LearnedPolicy policy = policies.require(name);
        Map<String, Object> body = bodies.object(context, "points", "reference", "plans");
        int d = policy.task().stateNames().size();
        double[][] points =
                PointsInput.points(body.get("points"), d, policy.tracks() ? MAX_TRACKED : limits.answerPoints());
        double[][] reference = body.get("reference") == null
                ? null
                : PointsInput.rows("reference", body.get("reference"), d, MAX_ROWS);
        double[][][] plans =
                plans(body.get("plans"), policy.task().actionNames().size());
        byte[] answer = questions.heavy(() -> answer(name, policy, policy.decide(points, reference, plans), anyway));
        context.status(200).contentType(Bodies.JSON).result(answer);
    }

    private static double[][][] plans(Object value, int columns) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof List<?> list) || list.size() > MAX_TRACKED) {
            throw new ApiError(Code.BAD_QUERY, "plans: expected a list, one plan of the last answer for each state")
                    .with("field", "plans");
        }
        double[][][] plans = new double[list.size()][][];
        for (int i = 0; i < plans.length; i++) {
            plans[i] = PointsInput.rows("plans[" + i + "]", list.get(i), columns, MAX_ROWS);
        }
        return plans;
    }

    /** What is hardly known is told so instead of an action that rests on nothing. */
    private static Map<String, Object> answer(
            String name, LearnedPolicy policy, List<Decision> decisions, boolean anyway) {
        double[][] actions = new double[decisions.size()][];
        double[] values = new double[actions.length];
        double[] known = new double[actions.length];
        for (int i = 0; i < actions.length; i++) {
            Decision decision = decisions.get(i);
            known[i] = decision.known();
            boolean answers = anyway || known[i] >= Forecaster.REFUSE_BELOW;
            values[i] = answers ? decision.value() : Double.NaN;
            actions[i] =
                    decision.action().stream().mapToDouble(Double::doubleValue).toArray();
            if (!answers) {
                Arrays.fill(actions[i], Double.NaN);
            }
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("policy", name);
        answer.put("actions", actions);
        answer.put("values", values);
        answer.put("known", known);
        if (policy.tracks()) {
            answer.put("plans", decisions.stream().map(Decision::plan).toList());
        }
        return answer;
    }
}
