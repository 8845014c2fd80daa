package io.koopstream.operator;

import io.koopstream.kernel.Rkhs;

/** A Hilbert–Schmidt operator between two RKHS (Appendix A), acting on elements. Immutable and safe to share. */
public interface LinearOperator {

    /** The space it acts on. */
    Rkhs domain();

    /** The space its results live in. */
    Rkhs codomain();

    /** The image of an element. */
    RkhsElement apply(RkhsElement element);

    /** The adjoint A*, defined by ⟨A f, g⟩ = ⟨f, A* g⟩; the same operator seen from the other side, at no cost. */
    LinearOperator adjoint();

    /** The Hilbert–Schmidt norm. */
    double norm();
}
