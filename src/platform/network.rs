//! The system's word that the network changed, so that what waits for it need not wait for the next look.

use std::io;
use std::time::Duration;

/// A change brings many messages: this long none comes before it is told.
const QUIET: Duration = Duration::from_millis(500);

/// What the system says after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// There may be a way out.
    Way,
    /// There is none: no route leads anywhere but to this machine itself.
    NoWay,
}

/// The changes of this machine's network. Waits without waking up in between.
pub struct Changes(changes::Source);

impl Changes {
    /// Begins to listen; within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When the system refuses, or has no way that is known here.
    pub fn open() -> io::Result<Self> {
        changes::Source::open().map(Self)
    }

    /// Waits for the next change.
    ///
    /// # Errors
    ///
    /// When the system tells nothing any more.
    pub async fn next(&mut self) -> io::Result<Change> {
        self.0.wait().await?;
        while tokio::time::timeout(QUIET, self.0.wait()).await.is_ok() {}
        Ok(changes::now())
    }
}

#[cfg(target_os = "linux")]
mod changes {
    use std::io;
    use std::os::unix::net::UnixDatagram as Socket;

    use rustix::net::netlink::SocketAddrNetlink;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, socket_with};
    use tokio::net::UnixDatagram;

    use super::{Change, routes};

    /// Groups of `rtnetlink(7)`: links, addresses and routes of both families.
    const GROUPS: u32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400;
    /// `ENOBUFS`: messages were lost, which is a change too.
    const LOST: i32 = 105;

    /// A netlink socket. It is waited for as a datagram socket of another family, as no call that is made with it differs.
    pub(super) struct Source(UnixDatagram);

    impl Source {
        pub fn open() -> io::Result<Self> {
            let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
            // `NETLINK_ROUTE` is the protocol 0.
            let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
            bind(&socket, &SocketAddrNetlink::new(0, GROUPS))?;
            UnixDatagram::from_std(Socket::from(socket)).map(Self)
        }

        /// What it says is not read: what counts is how things stand afterwards.
        pub async fn wait(&mut self) -> io::Result<()> {
            match self.0.recv(&mut [0_u8; 8192]).await {
                Err(error) if error.raw_os_error() != Some(LOST) => Err(error),
                _ => Ok(()),
            }
        }
    }

    pub(super) fn now() -> Change {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        // Where the system does not tell, the probes have to.
        let (v4, v6) = (read("/proc/net/route"), read("/proc/net/ipv6_route"));
        if v4.is_empty() || routes::lead_out(&v4, &v6) { Change::Way } else { Change::NoWay }
    }
}

/// Not known here: a probe that fails and the next one that does not have to tell (macOS: `SCNetworkReachability` or a
/// routing socket, Windows: `NotifyIpInterfaceChange`, both of which need code that this crate forbids).
#[cfg(not(target_os = "linux"))]
mod changes {
    use std::io;

    use super::Change;

    pub(super) enum Source {}

    impl Source {
        pub fn open() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub async fn wait(&mut self) -> io::Result<()> {
            match *self {}
        }
    }

    pub(super) const fn now() -> Change {
        Change::Way
    }
}

/// Readers of the kernel's tables of routes.
#[cfg(any(test, target_os = "linux"))]
mod routes {
    /// Whether a route that is up leads away from this machine, in `/proc/net/route` and `/proc/net/ipv6_route` (the kernel's
    /// `fib_route_seq_show` and `rt6_info_route`). Not the default route alone: a private network may be all there is, and
    /// some tunnels have two halves in its place.
    pub fn lead_out(v4: &str, v6: &str) -> bool {
        /// `RTF_UP` and not `RTF_REJECT`, of `linux/route.h`.
        fn is_up(flags: &str) -> bool {
            u32::from_str_radix(flags, 16).is_ok_and(|flags| flags & 0x1 != 0 && flags & 0x200 == 0)
        }
        let v4 = v4.lines().skip(1).any(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            matches!(fields[..], [device, _, _, flags, ..] if device != "lo" && is_up(flags))
        });
        // Every device that is up has routes to its own link and to multicast groups.
        let is_link = |to: &str| to.starts_with("fe8") || to.starts_with("ff");
        v4 || v6.lines().any(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            matches!(fields[..], [to, .., flags, device] if device != "lo" && is_up(flags) && !is_link(to))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::routes::lead_out;

    const HEAD: &str = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";

    #[test]
    fn a_way_out_is_told_from_none() {
        let v4 = |line: &str| lead_out(&format!("{HEAD}{line}\n"), "");
        assert!(v4("eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0"));
        assert!(v4("eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0"), "a relay may be on it");
        assert!(!v4("*\t00000000\t00000000\t0200\t0\t0\t100\t00000000\t0\t0\t0"), "unreachable");
        assert!(!v4("lo\t0000007F\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0"));
        let v6 = |to: &str, flags: &str, device: &str| {
            let zero = "0".repeat(32);
            lead_out(HEAD, &format!("{to} 00 {zero} 00 {zero} 00000400 00000001 00000000 {flags} {device:>8}\n"))
        };
        let (any, link, group) = ("0".repeat(32), format!("fe80{}", "0".repeat(28)), format!("ff{}", "0".repeat(30)));
        assert!(v6(&any, "00000003", "eth0"));
        assert!(!v6(&any, "00200200", "lo"));
        assert!(!v6(&link, "00000001", "eth0"));
        assert!(!v6(&group, "00000001", "eth0"));
        assert!(!lead_out("", ""));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_system_lets_us_listen() {
        // Some sandboxes do not; then probes tell, as before.
        if let Err(error) = super::Changes::open() {
            println!("skipped: {error}");
        }
    }
}
