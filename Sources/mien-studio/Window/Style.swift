import CGStreamer
import CGTK4

/// The window's style sheet and colour scheme.
enum Style {
  private static let sheet = """
    .video { background: alpha(black, 0.88); }
    .panel { background: @theme_bg_color; border-left: 1px solid alpha(@theme_fg_color, 0.12); }
    .tile { background: @theme_base_color; border-radius: 12px; padding: 4px 10px;
      border: 1px solid alpha(@theme_fg_color, 0.10); }
    .tile .tile-top { min-height: 42px; }
    .tile .properties { padding: 2px 2px 10px 2px; }
    .tile .property { font-size: 0.93em; }
    .tile .tile-row { min-height: 34px; }
    .tile scale { padding: 4px 8px; }
    .heading { font-weight: 600; }
    .shelf { background: @theme_bg_color; border-top: 1px solid alpha(@theme_fg_color, 0.12); }
    .item { padding: 5px; border-radius: 12px; }
    .item:checked { background: alpha(@theme_selected_bg_color, 0.28); }
    .thumbnail { border-radius: 8px; background: alpha(@theme_fg_color, 0.08); }
    .caption { font-size: 0.85em; }
    .notice { background: @theme_bg_color; color: @theme_fg_color; border-radius: 12px;
      padding: 8px 14px; box-shadow: 0 2px 10px alpha(black, 0.35); }
    .film { background: alpha(@theme_bg_color, 0.92); color: @theme_fg_color; border-radius: 12px;
      padding: 2px 12px 2px 4px; }
    .numeric { font-feature-settings: "tnum"; }
    .reset { min-width: 16px; min-height: 16px; padding: 0; margin: 0; border: none; }
    .keycap { background: alpha(@theme_fg_color, 0.08); border-radius: 6px; padding: 3px 8px; }
    .recording { color: #e01b24; }
    .narrow .shelf stackswitcher > button { min-width: 0; padding: 2px 10px; }
    .narrow .panel { box-shadow: 0 0 12px alpha(black, 0.5); }
    .narrow headerbar { padding: 0 2px; }
    .narrow headerbar windowcontrols button { margin: 0; padding: 4px; min-width: 16px; }
    .countdown { color: white; font-size: 96px; font-weight: 700; background: alpha(black, 0.5);
      border-radius: 24px; padding: 0 32px; }
    """

  static func load() {
    let provider = gtk_css_provider_new()!
    gtk_css_provider_load_from_data(provider, sheet, -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), OpaquePointer(provider),
      guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    isDark = systemIsDark
  }

  /// Whether the window is dark.
  static var isDark: Bool {
    get {
      var value = GValue()
      g_value_init(&value, GType(6 << 2))  // G_TYPE_INT, which GObject converts
      g_object_get_property(settings, scheme.property, &value)
      defer { g_value_unset(&value) }
      return g_value_get_int(&value) == scheme.dark
    }
    set {
      var value = GValue()
      g_value_init(&value, GType(6 << 2))
      g_value_set_int(&value, newValue ? scheme.dark : scheme.light)
      g_object_set_property(settings, scheme.property, &value)
      g_value_unset(&value)
    }
  }

  /// The GTK setting of the colour scheme with its two values.
  ///
  /// GTK 4.20 deprecates the older one.
  private static let scheme: (property: String, dark: gint, light: gint) = {
    let type = UnsafeMutableRawPointer(settings.pointee.g_type_instance.g_class!)
    let newer = "gtk-interface-color-scheme"
    let isThere =
      g_object_class_find_property(type.assumingMemoryBound(to: GObjectClass.self), newer) != nil
    // GTK_INTERFACE_COLOR_SCHEME_DARK and _LIGHT.
    return isThere ? (newer, 2, 3) : ("gtk-application-prefer-dark-theme", 1, 0)
  }()

  private static var settings: UnsafeMutablePointer<GObject> {
    UnsafeMutableRawPointer(gtk_settings_get_default()!).assumingMemoryBound(to: GObject.self)
  }

  /// The desktop's preference; false where it has none.
  private static var systemIsDark: Bool {
    if isDark { return true }
    guard let source = g_settings_schema_source_get_default(),
      let schema = g_settings_schema_source_lookup(source, "org.gnome.desktop.interface", 1)
    else { return false }
    defer { g_settings_schema_unref(schema) }
    guard g_settings_schema_has_key(schema, "color-scheme") != 0,
      let desktop = g_settings_new("org.gnome.desktop.interface"),
      let text = g_settings_get_string(desktop, "color-scheme")
    else { return false }
    defer {
      g_free(text)
      g_object_unref(UnsafeMutableRawPointer(desktop))
    }
    return String(cString: text) == "prefer-dark"
  }
}
