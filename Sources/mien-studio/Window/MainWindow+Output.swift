import CGStreamer
import CGTK4
import Files
import Glibc
import Programs
import Studio

/// Outputs: snapshots, recordings, the virtual camera, the gst-launch command.
extension MainWindow {
  func copyLaunchLine() {
    guard let source = player?.source else { return }
    let line = LaunchLine(source, chain).text
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget.raw), line)
    notice.inform(tr("Copied: %1", line))
  }

  /// Takes a still after the countdown; a second call before its end cancels it.
  func requestSnapshot() {
    guard !countdown.isRunning else { return countdown.cancel() }
    countdown.run(seconds: delay, cancel: {}) { [unowned self] in takeSnapshot() }
  }

  /// Starts a recording after the countdown, or ends it, or cancels the countdown.
  func setRecordingLater(_ isOn: Bool) {
    guard isOn, recording == nil, !countdown.isRunning else {
      countdown.cancel()
      return setRecording(false)
    }
    header?.update(isRecording: true)
    countdown.run(
      seconds: delay, cancel: { [unowned self] in header?.update(isRecording: false) },
      end: { [unowned self] in setRecording(true) })
  }

  func toggleRecording() { setRecordingLater(recording == nil && !countdown.isRunning) }

  private func takeSnapshot() {
    let name = unusedFileName(G_USER_DIRECTORY_PICTURES)
    snapshots.save(as: { name(".png") }) { [weak self] path, problem in
      if let problem {
        self?.notice.warn(tr("The snapshot could not be taken: %1", problem))
      } else if let path {
        self?.showSaved(path)
      }
    }
  }

  /// Shows where a file was saved.
  private func showSaved(_ path: FilePath) {
    notice.inform(tr("Saved as %1", Terminal.printable(path)), tr("Show the folder")) {
      [weak self] in
      guard let folder = path.split.folder.withCString({ g_filename_to_uri($0, nil, nil) }) else {
        return
      }
      defer { g_free(folder) }
      if g_app_info_launch_default_for_uri(folder, nil, nil) == 0 {
        self?.notice.warn(tr("No program shows folders here."))
      }
    }
  }

  /// Starts or ends a recording.
  func setRecording(_ isOn: Bool) {
    if !isOn {
      endRecording()
      return
    }
    guard recording == nil, let seen = player?.size?.displayed else {
      header?.update(isRecording: recording != nil)
      if recording == nil {
        notice.warn(tr("Nothing was recorded: %1", tr("there is no picture yet")))
      }
      return
    }
    let type: OutputType = FilmEncoding.hasH264 ? .mp4 : .webm
    let (width, height) = (max(16, Int(seen.width.rounded())), max(16, Int(seen.height.rounded())))
    let encoding = FilmEncoding(type, width: width, height: height, rate: 30, threads: 1)
    if encoding.video.contains("openh264enc") { Terminal.silenceLibraries() }
    do throws(ProgramError) {
      let name = unusedFileName(G_USER_DIRECTORY_VIDEOS)
      let part = tr("incomplete")
      let file = OutputBranch.File(
        part: try AtomicFile(for: name(type.rawValue)),
        name: { name(($0 ? "" : " (\(part))") + type.rawValue) })
      let hasSound = microphone != nil || player?.hasSound ?? false
      let branch = try OutputBranch(
        // Sizes and colours are constant in a file; those of later sources are converted.
        "videoconvertscale add-borders=true"
          + " ! video/x-raw,format=I420,width=\(width),height=\(height),pixel-aspect-ratio=1/1"
          + "\(player?.colorimetryFields(width: width, height: height) ?? "")"
          + " ! \(encoding.video) ! identity name=encoded ! \(encoding.fragmentedMuxer) name=mux"
          + " ! fdsink name=file"
          + (hasSound ? " appsrc name=sound ! \(encoding.audio) ! mux." : ""), file: file)
      branch.onEnd = { [weak self, unowned branch] outcome in
        self?.branches.remove(branch)
        self?.recording = nil
        self?.header?.update(isRecording: false)
        self?.recordingBar.update(nil)
        self?.showOutcome(outcome)
      }
      // A still source is recorded too.
      snapshots.withStill(branch.push)
      recording = branch
      branches.add(branch)
      branch.startPolling()
      showProgress(of: branch)
    } catch {
      notice.warn(tr("Nothing was recorded: %1", error.text))
    }
    header?.update(isRecording: recording != nil)
  }

  /// Shows the time and the size of a recording until it is over.
  private func showProgress(of branch: OutputBranch) {
    recordingBar.update((0, 0))
    MainLoop.schedule(milliseconds: 250) { [weak self] in
      guard let self, recording === branch else { return false }
      recordingBar.update(branch.progress)
      return true
    }
  }

  private func endRecording() {
    guard let branch = recording else { return }
    snapshots.withStill(branch.push)
    branch.end()
  }

  /// Ends a recording and waits for it; true where it is incomplete.
  func endRecordingFails() -> Bool {
    guard let branch = recording else { return false }
    endRecording()
    branch.end(within: 5000)
    return !branch.isComplete
  }

  /// Shows the result of a recording; a failure also on the terminal.
  private func showOutcome(_ outcome: OutputBranch.Outcome) {
    let problem: String
    switch outcome {
    case .complete(let path):
      if let path { showSaved(path) }
      return
    case .partial(let path, let reason):
      problem = tr(
        "The recording broke off: %1 What was recorded until then is saved as %2", reason,
        Terminal.printable(path))
    case .failed(let reason): problem = tr("Nothing was recorded: %1", reason)
    }
    notice.warn(problem)
    Terminal.warn(problem)
    hasFailedRecording = true
    MainLoop.schedule(milliseconds: 2000) { [weak self] in
      self?.hasFailedRecording = false
      return false
    }
  }

  /// Starts or ends the virtual camera.
  func setCamera(_ isOn: Bool) {
    if !isOn {
      consumers = nil
      camera?.stop()
      return
    }
    guard camera == nil else { return }
    do throws(ProgramError) {
      let kind = try VirtualCamera.find()
      try startCamera(kind)
      if kind == .pipeWire { replaceCameraAfterConsumers() }
    } catch {
      reportCameraEnd(error.text)
    }
  }

  private func startCamera(_ kind: VirtualCamera) throws(ProgramError) {
    let branch = try OutputBranch(kind.sinkDescription, file: nil)
    branch.onEnd = { [weak self, unowned branch] outcome in
      self?.branches.remove(branch)
      self?.camera = nil
      if case .failed(let problem) = outcome {
        self?.reportCameraEnd(problem)
      } else if self?.consumers == nil {
        self?.header?.update(isCamera: false)
      } else {
        // PipeWire's sink passes nothing to a second consumer: the camera is made anew for the next one.
        do throws(ProgramError) { try self?.startCamera(kind) } catch {
          self?.reportCameraEnd(error.text)
        }
      }
    }
    camera = branch
    branches.add(branch)
    branch.startPolling()
  }

  private func reportCameraEnd(_ problem: String) {
    consumers = nil
    notice.warn(tr("The virtual camera ended: %1", problem))
    header?.update(isCamera: false)
  }

  /// Ends the camera when nobody looks any more; it starts again at once.
  private func replaceCameraAfterConsumers() {
    let monitor = ConsumerMonitor()
    consumers = monitor
    var wasWatched = false
    MainLoop.schedule(milliseconds: 250) { [weak self] in
      guard let self, consumers === monitor else { return false }
      let isWatched = monitor.poll()
      if wasWatched, !isWatched { camera?.stop() }
      wasWatched = isWatched
      return true
    }
  }

  /// Starts or ends sending the face to the program of an avatar.
  func setAvatar(_ isOn: Bool) {
    avatar.stop()
    if isOn {
      do throws(ProgramError) {
        notice.inform(tr("The face is sent to %1, as VMC", try avatar.start()))
      } catch {
        notice.warn(tr("No avatar can be animated: %1", error.text))
        header?.update(isAvatar: false)
        return
      }
    }
    header?.update(isAvatar: isOn)
    chain.alwaysFindsFaces = isOn
    chain.set("blendshapes", of: .faces, to: isOn ? .literal("true") : nil)
    player?.set("blendshapes", of: .faces, to: .literal(isOn ? "true" : "false"))
    panel?.update(.faces, chain)
    rebuildChain()
  }

  /// Returns a function for unused paths with the current date, in a folder of the user or else at home;
  /// for any thread.
  private func unusedFileName(_ folder: GUserDirectory) -> (_ ending: String) -> FilePath {
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
      let name = DatedFileName.unusedName(date, ending: ending) { name in
        place.appending(FilePath(name)).withCString { access($0, F_OK) } == 0
      }
      return place.appending(FilePath(name))
    }
  }
}
