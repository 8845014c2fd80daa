package io.koopstream.server.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test classes the one Chromium that all of them share. It ends with the last test. */
final class BrowserForTests implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        PlaywrightAssertions.setDefaultAssertionTimeout(300_000); // machines that build are busy
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(BrowserForTests.class))
                .computeIfAbsent(SteeredBrowser.class, key -> SteeredBrowser.start(), SteeredBrowser.class)
                .browser();
    }
}
