import CGStreamer
import CGTK4
import Files
import Glibc
import Programs
import Studio

/// What comes out of the window: snapshots, films, a camera, a line for the shell.
extension MainWindow {
  func copyLine() {
    guard let origin = player?.origin else { return }
    let line = LaunchLine(origin, chain).text
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget.raw), line)
    notice.say(tr("Copied: %1", line))
  }

  func snapshot() {
    let name = newFile(G_USER_DIRECTORY_PICTURES)
    whole.save(as: { name(".png") }) { [weak self] path, problem in
      if let problem {
        self?.notice.complain(tr("The snapshot could not be taken: %1", problem))
      } else if let path {
        self?.notice.say(tr("Saved as %1", Terminal.shown(path)))
      }
    }
  }

  /// Begins to record, or ends it.
  func record(_ isOn: Bool) {
    if !isOn {
      endRecording()
      return
    }
    guard recording == nil, let seen = player?.size?.seen else {
      header?.tell(isRecording: recording != nil)
      if recording == nil {
        notice.complain(tr("Nothing was recorded: %1", tr("there is no picture yet")))
      }
      return
    }
    let type: OutputType = Encoding.hasH264 ? .mp4 : .webm
    let (width, height) = (max(16, Int(seen.width.rounded())), max(16, Int(seen.height.rounded())))
    let encoding = Encoding(type, width: width, height: height, rate: 30, threads: 1)
    if encoding.picture.contains("openh264enc") { Terminal.silenceLibraries() }
    do throws(Problem) {
      let name = newFile(G_USER_DIRECTORY_VIDEOS)
      let part = tr("incomplete")
      let file = Tap.File(
        part: try PartFile(for: name(type.rawValue)),
        name: { name(($0 ? "" : " (\(part))") + type.rawValue) })
      let hasSound = microphone != nil || player?.hasSound ?? false
      let tap = try Tap(
        // What is shown later has other sizes and colours, and encoders begin anew when these change: a file has
        // one of each.
        "videoconvertscale add-borders=true"
          + " ! video/x-raw,format=I420,width=\(width),height=\(height),pixel-aspect-ratio=1/1"
          + "\(player?.colours(width: width, height: height) ?? "")"
          + " ! \(encoding.picture) ! identity name=encoded ! \(encoding.growingMuxer) name=mux"
          + " ! fdsink name=file"
          + (hasSound ? " appsrc name=sound ! \(encoding.sound) ! mux." : ""), file: file)
      tap.onEnd = { [weak self, unowned tap] outcome in
        self?.taps.remove(tap)
        self?.recording = nil
        self?.header?.tell(isRecording: false)
        self?.show(outcome)
      }
      // What is seen is recorded, also while it stands.
      whole.withStill(tap.push)
      recording = tap
      taps.add(tap)
      tap.watch()
    } catch {
      notice.complain(tr("Nothing was recorded: %1", error.text))
    }
    header?.tell(isRecording: recording != nil)
  }

  private func endRecording() {
    guard let tap = recording else { return }
    whole.withStill(tap.push)
    tap.end()
  }

  /// Ends what is recorded and waits for it; whether it is not whole.
  func recordingBreaksOff() -> Bool {
    guard let tap = recording else { return false }
    endRecording()
    tap.end(within: 5000)
    return !tap.isWhole
  }

  /// Says what became of a recording: in the window, and what went wrong on the terminal too.
  private func show(_ outcome: Tap.Outcome) {
    let problem: String
    switch outcome {
    case .whole(let path):
      if let path { notice.say(tr("Saved as %1", Terminal.shown(path))) }
      return
    case .part(let path, let why):
      problem = tr(
        "The recording broke off: %1 What was recorded until then is saved as %2", why,
        Terminal.shown(path))
    case .nothing(let why): problem = tr("Nothing was recorded: %1", why)
    }
    notice.complain(problem)
    Terminal.complain(problem)
    hasBrokenOff = true
    MainLoop.after(milliseconds: 2000) { [weak self] in
      self?.hasBrokenOff = false
      return false
    }
  }

  /// Begins to be a camera for other programs, or ends it.
  func beCamera(_ isOn: Bool) {
    if !isOn {
      camera?.end()
      return
    }
    guard camera == nil, let words = VirtualCamera.words else { return }
    do throws(Problem) {
      let tap = try Tap(words, file: nil)
      tap.onEnd = { [weak self, unowned tap] outcome in
        self?.taps.remove(tap)
        self?.camera = nil
        self?.header?.tell(isCamera: false)
        if case .nothing(let problem) = outcome {
          self?.notice.complain(tr("The virtual camera ended: %1", problem))
        }
      }
      camera = tap
      taps.add(tap)
      tap.watch()
    } catch {
      notice.complain(tr("The virtual camera ended: %1", error.text))
      header?.tell(isCamera: false)
    }
  }

  /// Names that are free, in one of the user's folders, or at home, by the time that it is now; for any
  /// thread.
  private func newFile(_ folder: GUserDirectory) -> (_ ending: String) -> FilePath {
    var place = FilePath(g_get_home_dir()!)
    if let special = g_get_user_special_dir(folder), access(special, W_OK) == 0 {
      place = FilePath(special)
    }
    let now = g_date_time_new_now_local()!
    defer { g_date_time_unref(now) }
    let date = (
      Int(g_date_time_get_year(now)), Int(g_date_time_get_month(now)),
      Int(g_date_time_get_day_of_month(now)), Int(g_date_time_get_hour(now)),
      Int(g_date_time_get_minute(now)), Int(g_date_time_get_second(now))
    )
    return { [place] ending in
      let name = FileName.dated(date, ending: ending) { name in
        place.appending(FilePath(name)).withCString { access($0, F_OK) } == 0
      }
      return place.appending(FilePath(name))
    }
  }
}
