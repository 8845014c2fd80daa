"""The constants and bounds of the paper's section 6, written down once more and without looking at the Java code.

Run `python3 theory_reference.py` (standard library only); it writes theory_reference.csv beside itself.

U_t is the operator after t samples, eta_t the step that leads to U_{t+1}. Exact sums and products, no recursion:

    tau(d)   = min{s >= 1: R g^s <= d},   B = B_inf + lam + b_cmp eta_0,   Bc = 98 B^2 + 32 B
    Theta_1  = Bc eta_t (eta_{t-tau} + ... + eta_{t-1}) (|U|+1)^2 + 4 b_cmp eta_t^2 B_inf / lam
    thm9     = 4 B_inf^2/lam^2 prod_{j=t*}^{t-1} (1 - lam eta_j) + sum_i prod_{j=i+1}^{t-1} (1 - lam eta_j) Theta_1(i)
    cor10    = 4 B_inf^2/lam^2 (1 - lam eta)^(t-tau) + (Bc tau (|U|+1)^2 + 4 b_cmp B_inf/lam) eta / lam
    cor11    = 4 B_inf^2/lam^2 exp(-lam eta/(1-a) ((t+r)^(1-a) - (t*+r)^(1-a))) + Theta_4 2 eta / (lam (t+r)^a)
"""

import csv
from math import exp, log, prod
from pathlib import Path

CASES = [
    # name, B_inf, lam, b_cmp, norm, R, gamma, eta, r, a (a = 0: constant)
    ("constant", 1.0, 1.0, 0.0, 0.4, 1.0, 0.4, 2e-4, 0.0, 0.0),
    ("constant-sparse", 1.0, 1.0, 500.0, 0.4, 2.0, 0.3, 1e-4, 0.0, 0.0),
    ("scaled", 2.0, 3.0, 10.0, 0.7, 1.5, 0.2, 1e-4, 0.0, 0.0),
    ("decaying", 1.0, 1.0, 2.0, 0.4, 1.0, 0.4, 0.06, 10001.0, 0.6),
]
TIMES = (30, 100, 1000)


def main():
    rows = []
    for name, binf, lam, bcmp, norm, big_r, gamma, eta, r, a in CASES:
        def step(t):
            return eta / (t + r) ** a if a else eta

        def tau(t):
            s = 1
            while big_r * gamma**s > step(t):
                s += 1
            return s

        b = binf + lam + bcmp * step(0)
        check = 98 * b**2 + 32 * b
        scale = (norm + 1) ** 2
        mix = max(1 / log(1 / gamma), log(big_r / gamma) / log(1 / gamma))
        start = next(t for t in range(10**6) if t >= tau(t))

        def theta1(t):
            return check * step(t) * sum(step(k) for k in range(t - tau(t), t)) * scale + 4 * bcmp * step(t) ** 2 * binf / lam

        for t in TIMES:
            general = 4 * binf**2 / lam**2 * prod(1 - lam * step(j) for j in range(start, t)) + sum(
                prod(1 - lam * step(j) for j in range(i + 1, t)) * theta1(i) for i in range(start, t)
            )
            if a:
                theta4 = 2 * (mix * check * (log(t + r) - log(eta) + 1) * scale + 4 * bcmp * binf / lam)
                gone = exp(-lam * eta / (1 - a) * ((t + r) ** (1 - a) - (start + r) ** (1 - a)))
                closed = 4 * binf**2 / lam**2 * gone + theta4 * 2 * eta / (lam * (t + r) ** a)
            else:
                closed = 4 * binf**2 / lam**2 * (1 - lam * eta) ** (t - tau(0)) + (
                    check * tau(0) * scale + 4 * bcmp * binf / lam
                ) * eta / lam
            rows.append((name, binf, lam, bcmp, norm, big_r, gamma, eta, r, a, t, start, mix, b, check, theta1(t), general, closed))
    header = "name,bound,lambda,compression,norm,factor,rate,eta,r,a,t,start,mix,b,check,theta1,general,closed"
    with open(Path(__file__).with_name("theory_reference.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split(","))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
