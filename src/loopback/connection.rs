//! One connection: reads its requests, plays their answers, also those that are not HTTP.

use std::collections::VecDeque;
use std::error::Error as _;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use crate::loopback::answer::{Answer, Step};
use crate::loopback::server::{Recorded, Shared};

/// Bodies larger than this are refused.
const BODY_LIMIT: usize = 1024 * 1024;

/// What is not HTTP, carried out of the HTTP machinery as its error.
#[derive(Debug, thiserror::Error)]
#[error("answered below HTTP")]
struct BelowHttp(Vec<Step>);

async fn handle(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Script>, BelowHttp> {
    let (head, body) = request.into_parts();
    let body = match Limited::new(body, BODY_LIMIT).collect().await {
        Ok(body) => body.to_bytes().to_vec(),
        Err(_) => return Err(BelowHttp(vec![Step::Cut])),
    };
    let recorded = Recorded {
        method: head.method.as_str().to_owned(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head
            .headers
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect(),
        body,
    };
    let answer = shared.answer(recorded);
    match answer {
        Answer::Raw(steps) => Err(BelowHttp(steps)),
        Answer::Http { status, headers, body } => {
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Script::new(body)).map_err(|_| BelowHttp(vec![Step::Cut]))
        }
    }
}

/// A connection that can be reset.
pub(super) trait Connection: AsyncRead + AsyncWrite + Unpin {
    /// Makes the coming drop a reset instead of a proper end.
    fn reset_on_drop(&self);
}

impl Connection for TcpStream {
    fn reset_on_drop(&self) {
        // Without it the drop closes the connection, which is the next best.
        let _ = self.set_zero_linger();
    }
}

impl Connection for tokio_rustls::server::TlsStream<TcpStream> {
    fn reset_on_drop(&self) {
        self.get_ref().0.reset_on_drop();
    }
}

/// Serves a connection until either side ends it.
pub(super) async fn serve<C: Connection>(stream: C, shared: Arc<Shared>) {
    let service = service_fn(move |request| Box::pin(handle(Arc::clone(&shared), request)));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let ended = poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
    let mut stream = connection.into_parts().io.into_inner();
    match ended {
        Ok(()) => {
            // The client may be gone already.
            let _ = stream.shutdown().await;
        }
        Err(error) => {
            if let Some(BelowHttp(steps)) = error.source().and_then(|source| source.downcast_ref()) {
                play(stream, steps).await;
            }
        }
    }
}

/// Plays steps onto a bare connection until the last one or until the client leaves.
async fn play<C: Connection>(mut stream: C, steps: &[Step]) {
    for step in steps {
        let is_alive = match step {
            Step::Send(bytes) => stream.write_all(bytes).await.is_ok() && stream.flush().await.is_ok(),
            Step::Wait(pause) => pause_or_leave(&mut stream, *pause).await,
            Step::Repeat { bytes, every } => {
                while stream.write_all(bytes).await.is_ok()
                    && stream.flush().await.is_ok()
                    && pause_or_leave(&mut stream, *every).await
                {}
                false
            }
            Step::Hold => {
                left(&mut stream).await;
                false
            }
            Step::Reset => {
                stream.reset_on_drop();
                false
            }
            Step::Cut => false,
        };
        if !is_alive {
            return;
        }
    }
    // The client may be gone already.
    let _ = stream.shutdown().await;
}

/// Whether the client is still there after the pause.
async fn pause_or_leave<C: Connection>(stream: &mut C, pause: Duration) -> bool {
    tokio::select! {
        () = tokio::time::sleep(pause) => true,
        () = left(stream) => false,
    }
}

/// Waits until the client closes its side.
async fn left<C: Connection>(stream: &mut C) {
    let mut sink = [0; 256];
    while matches!(stream.read(&mut sink).await, Ok(1..)) {}
}

/// A body that plays steps.
struct Script {
    steps: VecDeque<Step>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl Script {
    fn new(steps: Vec<Step>) -> Self {
        Self { steps: steps.into(), pause: None }
    }
}

impl Body for Script {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(cx));
                self.pause = None;
            }
            match self.steps.pop_front() {
                None => return Poll::Ready(None),
                Some(Step::Send(bytes)) if bytes.is_empty() => {}
                Some(Step::Send(bytes)) => return Poll::Ready(Some(Ok(Frame::data(bytes.into())))),
                Some(Step::Wait(pause)) if pause.is_zero() => {
                    // Not ready once: what came before is written out by itself.
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Some(Step::Wait(pause)) => self.pause = Some(Box::pin(tokio::time::sleep(pause))),
                Some(Step::Repeat { bytes, every }) => {
                    self.pause = Some(Box::pin(tokio::time::sleep(every)));
                    self.steps.push_front(Step::Repeat { bytes: bytes.clone(), every });
                    return Poll::Ready(Some(Ok(Frame::data(bytes.into()))));
                }
                Some(Step::Cut | Step::Reset) => {
                    return Poll::Ready(Some(Err(io::ErrorKind::ConnectionAborted.into())));
                }
                Some(Step::Hold) => {
                    self.steps.push_front(Step::Hold);
                    return Poll::Pending;
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.steps.is_empty() && self.pause.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        match (self.steps.front(), self.steps.len()) {
            (Some(Step::Send(bytes)), 1) => SizeHint::with_exact(u64::try_from(bytes.len()).unwrap_or(u64::MAX)),
            _ => SizeHint::default(),
        }
    }
}
