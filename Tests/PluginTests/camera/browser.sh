#!/bin/bash
# A page in a browser asks for a camera, and says which it gets and when its picture moves.
#
#   dbus-run-session -- browser.sh FOLDER MIEN FILM chromium|firefox-esr
folder=$1 mien=$2 film=$3 browser=$4
here=$(cd "$(dirname "$0")" && pwd)
. "$here/session.sh"

exec 3<> <(:)
run xvfb Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp -noreset
read -r -t 60 number <&3 || fail "there is no virtual screen"
export DISPLAY=:$number
dbus-update-activation-environment DISPLAY
# Before the camera portal would ask the user, the answer is there.
until_holds 10 gdbus call --session --dest org.freedesktop.impl.portal.PermissionStore \
  --object-path /org/freedesktop/impl/portal/PermissionStore \
  --method org.freedesktop.impl.portal.PermissionStore.SetPermission devices true camera '' "['yes']" \
  || fail "there is no permission store"
start_camera "$film" --sticker hat
run page /usr/bin/python3 "$here/serve.py" "$here/page.html" port
page=$!
until_holds 10 test -s port || fail "the page is not served"
address=http://127.0.0.1:$(cat port)/
case $browser in
  chromium)
    run browser chromium --no-sandbox --user-data-dir="$folder/profile" --no-first-run --disable-gpu \
      --enable-features=WebRtcPipeWireCamera --use-fake-ui-for-media-stream "$address"
    ;;
  *)
    mkdir profile
    printf 'user_pref("%s", %s);\n' media.webrtc.camera.allow-pipewire true \
      media.navigator.permission.disabled true browser.shell.checkDefaultBrowser false \
      datareporting.policy.dataSubmissionEnabled false >profile/user.js
    run browser "$browser" --profile "$folder/profile" --no-remote "$address"
    ;;
esac
for _ in $(seq 1200); do kill -0 "$page" 2>/dev/null || break; sleep 0.05; done
kill -0 "$page" 2>/dev/null && fail "the page says nothing: $(cat page.log)"
cat page.log
