# Sourced by prove-deb and prove-tarball: a fresh Debian in a folder, a display beside it, and what may be asked of both.
#
# The display, its tools and the pictures are the host's, so that nothing but the package brings libraries into the root.
# Needs root, and Debian packages that are installed when they are missing. SUITE names another release than bookworm;
# ROOT_TAR keeps the fresh Debian for the next run.

[ "$(id -u)" -eq 0 ] || { echo "needs root: it makes a Debian of its own and changes into it" >&2; exit 1; }
packaging/scripts/install-packages mmdebstrap xvfb xdotool imagemagick x11-utils >&2
work=$(mktemp -d)
root=$work/root
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
fail() {
    echo "failed: $*" >&2
    tail -n 20 "$work"/*.log >&2 2>/dev/null || true
    exit 1
}

tar=${ROOT_TAR:-$work/root.tar}
if [ ! -e "$tar" ]; then
    echo "== a fresh Debian"
    mmdebstrap --quiet --mode=root --variant=apt --include=passwd "${SUITE:-bookworm}" "$tar"
fi
mkdir "$root"
tar -C "$root" -xf "$tar"
cp /etc/resolv.conf "$root/etc/resolv.conf"

# Runs a command within, as root or as an ordinary user; mounts end with the command. Every step is an exec, so that the
# process in the background is the program itself.
inside() {
    unshare --mount sh -c 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$root" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
as_user() {
    exec unshare --mount sh -c 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$root" \
        setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs \
        env -i PATH="/home/tester/.local/bin:/usr/bin:/bin" HOME=/home/tester LC_ALL=C.UTF-8 DISPLAY="${DISPLAY:-}" "$@"
}
inside useradd --create-home --uid 1000 tester

# Every file, folder and link but those that package management and its tools keep as their own record.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./tmp -o -path ./var/lib/dpkg \
        -o -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log -o -path ./home/tester \) -prune -o \
        -not -path ./etc/ld.so.cache -printf '%y %m %p %l\n' | LC_ALL=C sort)
}
# Without what running programs keep there: the demo's planted data, drivers' compiled shaders.
home_files() { (cd "$root/home/tester" && find . -path ./.cache -prune -o -printf '%y %m %p %l\n' | LC_ALL=C sort); }

for number in $(seq 90 140); do
    [ -e "/tmp/.X11-unix/X$number" ] || break
done
export DISPLAY=:$number
Xvfb "$DISPLAY" -screen 0 1440x900x24 -nolisten tcp >"$work/xvfb.log" 2>&1 &
pids+=($!)

until_true() {
    local what=$1 tries=600
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "never $what"
        sleep 0.1
    done
}
until_true "a display" xdotool getdisplaygeometry

# Opens the demo as the user, takes a picture once the window stands, ends it in good order.
open_demo() {
    local picture=$1 status=0
    (as_user vacancy demo --lang en) >"$work/demo.log" 2>&1 &
    local demo=$!
    pids+=("$demo")
    until_true "a window" xdotool search --onlyvisible --name '^Vacancy'
    # The window is told by its first frames that something is drawn: more than one colour.
    drawn() { [ "$(import -window root -format %k info:)" -gt 50 ]; }
    until_true "a drawn window" drawn
    sleep 6
    import -window root "$picture"
    sed -n 's/.* \(\/[^ ]*\.so[^ ]*\)$/\1/p' "/proc/$demo/maps" | sed "s|^$root||" | sort -u >"$work/mapped"
    kill -TERM "$demo"
    wait "$demo" || status=$?
    [ "$status" -eq 0 ] || fail "the window ended with $status"
    echo "the demo opened its window and ended in good order; picture: $picture"
}
