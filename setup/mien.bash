# bash completion for mien. Options are those that "mien TASK --help" prints.
_mien() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} task=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(
      compgen -W "decorate faces batch camera verify check doctor studio --help --version" -- "$word")
    return
  fi
  # "--look=no" comes as three words.
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local words=
  case $before in
    -S | --send)
      [ "$task" = batch ] || words="vmc openseeface ifacialmocap" ;;
    -s | --sticker)
      [ "$task" = faces ] || words="halo glasses hat moustache dog hearts sparks frame lipstick blush facepaint mask" ;;
    --retouch) words="natural soft strong bright" ;;
    -R | --reshape) words="natural doll funny stretch bulge pinch twirl" ;;
    --hide) words="mosaic blur color" ;;
    -l | --look)
      words="mono tonal noir chrome fade instant process transfer sepia warm cool vivid linear cartoon" ;;
    -k | --key) words="alpha beach library mountains office room studio" ;;
    -p | --person | -g | --background) words="blur alpha beach library mountains office room studio" ;;
    --type | --to-type) words="mkv webm mp4 mov ts jpg png" ;;
    -e | --expect | -j | --jobs | -n | --shard | -t | --to) return ;;
  esac
  case $word in
    -*)
      words=$(mien "$task" --help 2>/dev/null | sed -n 's/^  -[^ ]*, \(--[a-z-]*\).*/\1/p') ;;
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$word"
    case $word in -*) ;; *) compgen -f -- "$word" ;; esac
  )
}
complete -o filenames -F _mien mien
