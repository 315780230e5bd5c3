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
    let path = newFile(G_USER_DIRECTORY_PICTURES, ".png")
    whole.save(to: path) { [weak self] problem in
      if let problem {
        self?.notice.complain(tr("The snapshot could not be taken: %1", problem))
      } else {
        self?.notice.say(tr("Saved as %1", Terminal.shown(path)))
      }
    }
  }

  /// Begins to record, or ends it.
  func record(_ isOn: Bool) {
    if !isOn {
      recording?.end()
      return
    }
    guard recording == nil, let size = player?.size?.pixels else {
      header?.tell(isRecording: recording != nil)
      return
    }
    let type: OutputType = Encoding.hasH264 ? .mp4 : .webm
    let encoding = Encoding(type, width: size.width, height: size.height, rate: 30, threads: 1)
    if encoding.picture.contains("openh264enc") { Terminal.silenceLibraries() }
    do throws(Problem) {
      let part = try PartFile(for: newFile(G_USER_DIRECTORY_VIDEOS, type.rawValue))
      let hasSound = microphone != nil || player?.hasSound ?? false
      let tap = try Tap(
        "\(encoding.picture) ! \(encoding.muxer) name=mux ! fdsink name=file"
          + (hasSound ? " appsrc name=sound ! \(encoding.sound) ! mux." : ""), part: part)
      tap.onEnd = { [weak self, unowned tap] problem, path in
        guard let self else { return }
        taps.remove(tap)
        recording = nil
        header?.tell(isRecording: false)
        if let problem {
          notice.complain(tr("Nothing was recorded: %1", problem))
        } else if let path {
          notice.say(tr("Saved as %1", Terminal.shown(path)))
        }
      }
      recording = tap
      taps.add(tap)
      tap.watch()
    } catch {
      notice.complain(tr("Nothing was recorded: %1", error.text))
    }
    header?.tell(isRecording: recording != nil)
  }

  /// Begins to be a camera for other programs, or ends it.
  func beCamera(_ isOn: Bool) {
    if !isOn {
      camera?.end()
      return
    }
    guard camera == nil, let words = VirtualCamera.words else { return }
    do throws(Problem) {
      let tap = try Tap(words, part: nil)
      tap.onEnd = { [weak self, unowned tap] problem, _ in
        self?.taps.remove(tap)
        self?.camera = nil
        self?.header?.tell(isCamera: false)
        if let problem { self?.notice.complain(tr("The virtual camera ended: %1", problem)) }
      }
      camera = tap
      taps.add(tap)
      tap.watch()
    } catch {
      notice.complain(tr("The virtual camera ended: %1", error.text))
      header?.tell(isCamera: false)
    }
  }

  /// A name that is free, in one of the user's folders, or at home.
  private func newFile(_ folder: GUserDirectory, _ ending: String) -> FilePath {
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
    let name = FileName.dated(date, ending: ending) { name in
      place.appending(FilePath(name)).withCString { access($0, F_OK) } == 0
    }
    return place.appending(FilePath(name))
  }
}
