import CGTK4
import Studio

/// The presets of one element.
///
/// The user's own can be saved, replaced after a question, and deleted.
final class PresetRow {
  /// The tile's functions for the row.
  struct Actions {
    /// Returns the current properties.
    let properties: () -> [PropertyAssignment]
    /// Applies a preset, or the defaults.
    let apply: ([PropertyAssignment]) -> Void
    let warn: (String) -> Void
  }

  /// The question under the row.
  private enum Question: Equatable {
    case none
    case name
    case replace(String)
    case delete(String)
  }

  let widget = Widget.box(GTK_ORIENTATION_VERTICAL, 4)
  private let inspector: ElementInspector
  private let actions: Actions
  private let texts = gtk_string_list_new(nil)!
  private let choice: Widget
  private let deleteButton: Widget
  private let revealer = Widget(gtk_revealer_new())
  private let entry = Widget(gtk_entry_new())
  private let answer = Widget(gtk_button_new())
  private let words = Widget.label("").withCSSClasses("property")
  private var names: [String] = []
  private var own: [String] = []
  private var isUpdating = false
  private var question = Question.none { didSet { showQuestion() } }

  init(_ inspector: ElementInspector, _ actions: Actions) {
    (self.inspector, self.actions) = (inspector, actions)
    choice = Widget(gtk_drop_down_new(texts, nil)).withoutFocusOnClick().ignoringScroll()
      .withAccessibleLabelInside(tr("Preset"))
    deleteButton = Widget(gtk_button_new_from_icon_name("user-trash-symbolic"))
      .withoutFocusOnClick()
    deleteButton.withAccessibleLabel(tr("Delete this preset")).withTooltip(tr("Delete this preset"))
      .withCSSClasses("flat")
    build()
    showQuestion()
    reload(selecting: nil)
  }

  private func build() {
    let title = Widget.label(tr("Preset")).expanding(across: true)
    let save = Widget.button(icon: "list-add-symbolic", tr("Save as a preset")) {
      [unowned self] in question = question == .name ? .none : .name
    }.withCSSClasses("flat")
    widget.append(
      Widget.box(GTK_ORIENTATION_HORIZONTAL, 4, title, choice, save, deleteButton).withCSSClasses(
        "tile-row"))
    entry.withAccessibleLabel(tr("Name of the preset")).expanding(across: true)
    gtk_entry_set_placeholder_text(entry.cast(to: GtkEntry.self), tr("Name of the preset"))
    gtk_editable_set_width_chars(entry.opaque, 8)
    gtk_label_set_wrap(words.opaque, 1)
    let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, 6, entry, answer)
    let inside = Widget.box(GTK_ORIENTATION_VERTICAL, 4, words, line)
    gtk_revealer_set_child(revealer.opaque, inside.raw)
    widget.append(revealer)
    choice.onChange(of: "selected") { [unowned self] in
      guard !isUpdating else { return }
      question = .none
      updateDeleteButton()
      actions.apply(selected.map { inspector.properties(ofPreset: $0) } ?? [])
    }
    deleteButton.on("clicked") { [unowned self] in
      if let name = selected { question = question == .delete(name) ? .none : .delete(name) }
    }
    answer.on("clicked") { [unowned self] in answerQuestion() }
    entry.on("activate") { [unowned self] in answerQuestion() }
    entry.on("changed") { [unowned self] in
      if case .replace = question { question = .name }
      words.isVisible = false
    }
  }

  /// The selected preset; nil for the defaults.
  private var selected: String? {
    let place = Int(gtk_drop_down_get_selected(choice.opaque)) - 1
    return names.indices.contains(place) ? names[place] : nil
  }

  /// Updates the menu without applying a preset.
  private func reload(selecting name: String?) {
    isUpdating = true
    defer { isUpdating = false }
    let presets = inspector.presets
    own = presets.own
    names = presets.shipped + presets.own
    while gtk_string_list_get_string(texts, 0) != nil { gtk_string_list_remove(texts, 0) }
    gtk_string_list_append(texts, tr("Default"))
    for name in presets.shipped { gtk_string_list_append(texts, tr(name)) }
    for name in presets.own { gtk_string_list_append(texts, Self.shortened(name)) }
    let place = name.flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    gtk_drop_down_set_selected(choice.opaque, guint(place))
    updateDeleteButton()
  }

  /// The name shortened for the menu.
  private static func shortened(_ name: String) -> String {
    name.count <= 20 ? name : name.prefix(18) + "…"
  }

  /// Enables the button for the user's own presets.
  private func updateDeleteButton() {
    deleteButton.isSensitive = selected.map { own.contains($0) } ?? false
  }

  // MARK: Questions

  private func showQuestion() {
    gtk_revealer_set_reveal_child(revealer.opaque, question == .none ? 0 : 1)
    entry.isVisible = true
    words.isVisible = true
    answer.isVisible = true
    gtk_widget_remove_css_class(answer.raw, "destructive-action")
    switch question {
    case .none: answer.isVisible = false
    case .name:
      words.isVisible = false
      setAnswerLabel(tr("_Save"))
      gtk_widget_grab_focus(entry.raw)
    case .replace(let name):
      words.setText(tr("There is a preset %1 already.", name))
      setAnswerLabel(tr("_Replace"))
      answer.withCSSClasses("destructive-action")
    case .delete(let name):
      words.setText(tr("Delete the preset %1?", name))
      entry.isVisible = false
      setAnswerLabel(tr("_Delete"))
      answer.withCSSClasses("destructive-action")
      gtk_widget_grab_focus(answer.raw)
    }
  }

  private func setAnswerLabel(_ text: String) {
    gtk_button_set_label(answer.cast(to: GtkButton.self), text)
    gtk_button_set_use_underline(answer.cast(to: GtkButton.self), 1)
  }

  private func answerQuestion() {
    switch question {
    case .none: break
    case .replace(let name): save(name)
    case .delete(let name):
      if !inspector.delete(preset: name) {
        actions.warn(tr("The presets cannot be written to your folder."))
      }
      question = .none
      reload(selecting: nil)
    case .name:
      let text = gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
      let shipped = names.filter { !own.contains($0) }
      switch PresetName.validate(text, own: own, shipped: shipped + shipped.map { tr($0) }) {
      case .free(let name): save(name)
      case .own(let name): question = .replace(name)
      case .shipped(let name): showRefusal(tr("%1 comes with Mien. Take another name.", name))
      case .unusable: showRefusal(tr("Take another name, without brackets."))
      }
    }
  }

  private func showRefusal(_ text: String) {
    words.setText(text)
    words.isVisible = true
  }

  private func save(_ name: String) {
    guard inspector.save(actions.properties(), asPreset: name) else {
      question = .none
      return actions.warn(tr("The presets cannot be written to your folder."))
    }
    gtk_editable_set_text(entry.opaque, "")
    question = .none
    reload(selecting: name)
  }
}
