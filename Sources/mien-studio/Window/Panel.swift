import CGTK4
import Files
import Programs
import Studio

/// The controls beside the picture: a switch for each element, and under it all that it lets set.
final class Panel {
  let widget: Widget
  private var cards: [Effect: Card] = [:]

  /// The order in which they are of use, which is not that in which pictures go through them.
  static let order: [Effect] = [.sticker, .retouch, .shape, .look, .room, .screen, .hide, .faces]

  /// `model` is asked and told; see `Card.Model`.
  init(_ model: Card.Model) {
    let list = Widget.box(GTK_ORIENTATION_VERTICAL, 10).margins(12)
    for effect in Self.order {
      guard let sample = try? Sample(effect) else { continue }
      let card = Card(sample, model)
      cards[effect] = card
      list.append(card.widget)
    }
    let scrolled = Widget(gtk_scrolled_window_new())
    gtk_scrolled_window_set_child(scrolled.opaque, list.raw)
    gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_widget_set_size_request(scrolled.raw, 330, -1)
    widget = scrolled.styled("panel").expanding()
  }

  /// Shows what the chain says of an element.
  func tell(_ effect: Effect, _ chain: Chain) { cards[effect]?.tell(chain) }

  func tell(_ chain: Chain) { for effect in Self.order { tell(effect, chain) } }
}

/// The controls of one element.
final class Card {
  /// Who is told of what the user does.
  struct Model {
    let turn: (Effect, Bool) -> Void
    let set: (Effect, String, Setting) -> Void
    let choose: (Effect, String) -> Void
    let preset: (Effect, [(name: String, value: Setting)]) -> Void
    let settings: (Effect) -> [(name: String, value: Setting)]
    let complain: (String) -> Void
  }

  let widget: Widget
  private let sample: Sample
  private let model: Model
  private let toggle: Widget
  private let revealer = Widget(gtk_revealer_new())
  private let arrow: Widget
  private var controls: [(property: String, control: Control)] = []
  private var presets: PresetRow?
  private var isTold = false

  init(_ sample: Sample, _ model: Model) {
    (self.sample, self.model) = (sample, model)
    let title = tr(sample.title)
    toggle = Widget(gtk_switch_new()).leavingFocus().named(title)
    gtk_widget_set_valign(toggle.raw, GTK_ALIGN_CENTER)
    arrow = Widget(gtk_toggle_button_new()).leavingFocus().styled("flat")
    widget = Widget.box(GTK_ORIENTATION_VERTICAL, 0).styled("card")
    let heading = Widget.label(title).styled("heading").expanding(across: true)
    gtk_button_set_icon_name(arrow.of(GtkButton.self), "pan-down-symbolic")
    arrow.named(tr("Settings of %1", title)).explained(tr("Settings of %1", title))
    let top = Widget.box(GTK_ORIENTATION_HORIZONTAL, 6, heading, arrow, toggle)
    top.explained(tr(sample.summary)).styled("card-top")
    widget.append(top)
    widget.append(revealer)
    arrow.on("toggled") { [unowned self] in
      if arrow.isDown { fill() }
      gtk_revealer_set_reveal_child(revealer.opaque, arrow.isDown ? 1 : 0)
    }
    toggle.onChange(of: "active") { [unowned self] in
      if !isTold { model.turn(sample.effect, gtk_switch_get_active(toggle.opaque) != 0) }
    }
  }

  private var chain = Chain()

  func tell(_ chain: Chain) {
    self.chain = chain
    isTold = true
    gtk_switch_set_active(toggle.opaque, chain.isOn(sample.effect) ? 1 : 0)
    isTold = false
    for (property, control) in controls {
      control.tell(chain.value(property, of: sample.effect))
    }
  }

  /// Makes the controls, when they are first wanted.
  private func fill() {
    guard controls.isEmpty else { return }
    let list = Widget.box(GTK_ORIENTATION_VERTICAL, 6).styled("settings")
    let (effect, model) = (sample.effect, model)
    let presets = PresetRow(
      sample,
      PresetRow.Model(
        settings: { model.settings(effect) }, take: { model.preset(effect, $0) },
        complain: model.complain))
    list.append(presets.widget)
    self.presets = presets
    for property in sample.properties {
      let control = Control(property)
      control.onSet = { model.set(effect, property.name, $0) }
      control.onChoose = { model.choose(effect, property.name) }
      control.tell(chain.value(property.name, of: effect))
      list.append(control.row)
      controls.append((property.name, control))
    }
    gtk_revealer_set_child(revealer.opaque, list.raw)
  }
}
