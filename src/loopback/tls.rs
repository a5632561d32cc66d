//! TLS with a certificate of an issuer that nobody knows, made anew at each start.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, SanType};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{self, ServerConfig};

/// A certificate for 127.0.0.1 and localhost, and its issuer.
pub struct Identity {
    /// Makes the server's side of a connection.
    pub acceptor: TlsAcceptor,
    /// The issuer's certificate, for a client that is to trust it.
    pub ca_pem: String,
}

/// Why there is no identity.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// Making a certificate failed.
    #[error(transparent)]
    Certificate(#[from] rcgen::Error),
    /// The certificate does not serve for TLS.
    #[error(transparent)]
    Tls(#[from] rustls::Error),
}

impl Identity {
    /// Makes the keys and certificates.
    ///
    /// # Errors
    ///
    /// When the cryptography library fails.
    pub fn new() -> Result<Self, IdentityError> {
        let mut ca = CertificateParams::new(Vec::new())?;
        ca.distinguished_name.push(DnType::CommonName, "Vacancy loopback issuer");
        ca.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        let ca_key = KeyPair::generate()?;
        let ca_certificate = ca.self_signed(&ca_key)?;
        let issuer = Issuer::new(ca, ca_key);

        let mut leaf = CertificateParams::new(vec!["localhost".to_owned()])?;
        leaf.distinguished_name.push(DnType::CommonName, "Vacancy loopback provider");
        leaf.subject_alt_names.push(SanType::IpAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        let key = KeyPair::generate()?;
        let certificate = leaf.signed_by(&key, &issuer)?;

        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))?;
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), ca_pem: ca_certificate.pem() })
    }
}
