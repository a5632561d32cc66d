//! Pages as JSON documents.

use serde::Deserialize;

use super::component;
use crate::listen::lenient::{FromText, List, Object, Scalar, object};
use crate::listen::observation::Observation;

/// Statuspage v2 `summary.json` and `components.json`, and incident.io's copy of them.
#[derive(Deserialize)]
struct Summary<'a> {
    #[serde(borrow, default)]
    page: Object<Page<'a>>,
    #[serde(borrow, default)]
    components: List<Object<Part<'a>>>,
}

#[derive(Default, Deserialize)]
struct Page<'a> {
    #[serde(borrow, default)]
    updated_at: Scalar<'a>,
}

#[derive(Default, Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    name: Scalar<'a>,
    #[serde(borrow, default, alias = "current_status")]
    status: Scalar<'a>,
    #[serde(borrow, default)]
    group: Scalar<'a>,
}

impl FromText<'_> for Page<'_> {}
impl FromText<'_> for Part<'_> {}

/// Reads `summary.json`. Only the components' own states count: incidents are linked to components that are well.
pub(in crate::listen) fn summary(document: &[u8]) -> Vec<Observation> {
    let Some(summary) = object::<Summary<'_>>(document) else { return Vec::new() };
    let ts = summary.page.get().and_then(|page| page.updated_at.time());
    let parts = summary.components.0.iter().filter_map(Object::get).filter(|part| !part.group.is_true());
    parts.filter_map(|part| component(ts, part.name.name(), part.status.text())).collect()
}

/// incident.io's own widget.
#[derive(Deserialize)]
struct Widget<'a> {
    #[serde(borrow, default)]
    ongoing_incidents: List<Object<Incident<'a>>>,
    #[serde(borrow, default)]
    in_progress_maintenances: List<Object<Incident<'a>>>,
}

#[derive(Default, Deserialize)]
struct Incident<'a> {
    #[serde(borrow, default)]
    last_update_at: Scalar<'a>,
    #[serde(borrow, default)]
    affected_components: List<Object<Part<'a>>>,
}

impl FromText<'_> for Incident<'_> {}

/// Reads the widget: the components of what goes on now. It does not name those that are well.
pub(in crate::listen) fn incident_io(document: &[u8]) -> Vec<Observation> {
    let Some(widget) = object::<Widget<'_>>(document) else { return Vec::new() };
    let incidents = widget.ongoing_incidents.0.iter().chain(&widget.in_progress_maintenances.0);
    incidents
        .filter_map(Object::get)
        .flat_map(|incident| {
            let ts = incident.last_update_at.time();
            let parts = incident.affected_components.0.iter().filter_map(Object::get);
            parts.filter_map(move |part| component(ts, part.name.name(), part.status.text()))
        })
        .collect()
}

/// Google Cloud's `incidents.json`.
#[derive(Default, Deserialize)]
struct GoogleIncident<'a> {
    #[serde(borrow, default)]
    end: Scalar<'a>,
    #[serde(borrow, default)]
    most_recent_update: Object<GoogleUpdate<'a>>,
    #[serde(borrow, default)]
    affected_products: List<Object<GoogleProduct<'a>>>,
}

#[derive(Default, Deserialize)]
struct GoogleUpdate<'a> {
    #[serde(borrow, default)]
    when: Scalar<'a>,
    #[serde(borrow, default)]
    status: Scalar<'a>,
}

#[derive(Default, Deserialize)]
struct GoogleProduct<'a> {
    #[serde(borrow, default)]
    title: Scalar<'a>,
}

impl FromText<'_> for GoogleIncident<'_> {}
impl FromText<'_> for GoogleUpdate<'_> {}
impl FromText<'_> for GoogleProduct<'_> {}

/// Reads the list: products of incidents that have no end.
pub(in crate::listen) fn google(document: &[u8]) -> Vec<Observation> {
    let incidents = serde_json::from_slice::<List<Object<GoogleIncident<'_>>>>(document).unwrap_or_default();
    let open = incidents.0.iter().filter_map(Object::get).filter(|incident| incident.end.is_absent());
    open.flat_map(|incident| {
        let update = incident.most_recent_update.get();
        let ts = update.and_then(|update| update.when.time());
        let status = update.map_or("", |update| update.status.text());
        let products = incident.affected_products.0.iter().filter_map(Object::get);
        products.filter_map(move |product| component(ts, product.title.name(), status))
    })
    .collect()
}

/// Better Stack's `index.json`.
#[derive(Deserialize)]
struct BetterStack<'a> {
    #[serde(borrow, default)]
    data: Object<Resource<'a>>,
    #[serde(borrow, default)]
    included: List<Object<Resource<'a>>>,
}

#[derive(Default, Deserialize)]
struct Resource<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Scalar<'a>,
    #[serde(borrow, default)]
    attributes: Object<Attributes<'a>>,
}

#[derive(Default, Deserialize)]
struct Attributes<'a> {
    #[serde(borrow, default)]
    company_name: Scalar<'a>,
    #[serde(borrow, default)]
    public_name: Scalar<'a>,
    #[serde(borrow, default)]
    aggregate_state: Scalar<'a>,
    #[serde(borrow, default)]
    status: Scalar<'a>,
    #[serde(borrow, default)]
    updated_at: Scalar<'a>,
}

impl FromText<'_> for Resource<'_> {}
impl FromText<'_> for Attributes<'_> {}

/// Reads the document: its resources, or where it has none the page as a whole.
pub(in crate::listen) fn better_stack(document: &[u8]) -> Vec<Observation> {
    let Some(read) = object::<BetterStack<'_>>(document) else { return Vec::new() };
    let Some(page) = read.data.get().and_then(|data| data.attributes.get()) else { return Vec::new() };
    let ts = page.updated_at.time();
    let resources = read.included.0.iter().filter_map(Object::get);
    let resources = resources.filter(|resource| resource.kind.text() == "status_page_resource");
    let parts: Vec<_> = resources
        .filter_map(|resource| resource.attributes.get())
        .filter_map(|part| component(ts, part.public_name.name(), part.status.text()))
        .collect();
    if !parts.is_empty() {
        return parts;
    }
    component(ts, page.company_name.name(), page.aggregate_state.text()).into_iter().collect()
}
