package io.penstock.spring;

import io.penstock.Settings;

/** A bean that changes the settings that the properties have made, before the store is opened. */
@FunctionalInterface
public interface SettingsCustomizer {
    Settings customize(Settings settings);
}
