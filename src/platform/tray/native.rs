//! macOS and Windows: the system's own tray, through `tray-icon`. Written from its documentation; it never ran there. Lives
//! on the window's thread, as both systems demand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tray_icon::menu::{
    CheckMenuItem, Icon as MenuIcon, IconMenuItem, IsMenuItem, Menu, MenuEvent, MenuItem, PredefinedMenuItem, Submenu,
};
use tray_icon::{Icon, MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};

use super::{Item, Look, Pixels, Told};

/// Which line of the menu means what, by the line's id.
type Acts<Act> = Arc<Mutex<HashMap<String, Act>>>;

/// The icon.
pub struct Native<Act> {
    icon: Option<TrayIcon>,
    shown: Option<Look<Act>>,
    acts: Acts<Act>,
}

impl<Act: Clone + PartialEq + Send + Sync + 'static> Native<Act> {
    /// An icon that is not shown yet.
    pub fn new(tell: impl Fn(Told<Act>) + Send + Sync + 'static) -> Self {
        let acts = Acts::default();
        let tell = Arc::new(tell);
        let (told, known) = (Arc::clone(&tell), Arc::clone(&acts));
        MenuEvent::set_event_handler(Some(move |event: MenuEvent| {
            let act = known.lock().unwrap_or_else(PoisonError::into_inner).get(&event.id.0).cloned();
            if let Some(act) = act {
                told(Told::Chosen(act));
            }
        }));
        TrayIconEvent::set_event_handler(Some(move |event: TrayIconEvent| {
            let is_click = matches!(
                event,
                TrayIconEvent::Click { button: MouseButton::Left, button_state: MouseButtonState::Up, .. }
            );
            // On macOS a click opens the menu.
            if is_click && cfg!(windows) {
                tell(Told::Clicked);
            }
        }));
        Self { icon: None, shown: None, acts }
    }

    /// Shows this, or nothing; answers whether there is an icon now.
    pub fn show(&mut self, look: Option<Look<Act>>) -> bool {
        if look == self.shown {
            return self.icon.is_some();
        }
        match &look {
            None => self.icon = None,
            Some(look) => {
                if let Err(error) = self.draw(look) {
                    tracing::warn!(%error, "the tray does not take the icon");
                }
            }
        }
        self.shown = look;
        self.icon.is_some()
    }

    fn draw(&mut self, look: &Look<Act>) -> Result<(), Box<dyn std::error::Error>> {
        let mut acts = HashMap::new();
        let menu = Menu::new();
        for item in &look.menu {
            menu.append(&*line(item, &mut acts)?)?;
        }
        *self.acts.lock().unwrap_or_else(PoisonError::into_inner) = acts;
        let pixels = look.icons.last().ok_or("no picture")?;
        let icon = Icon::from_rgba(pixels.rgba.clone(), pixels.side, pixels.side)?;
        let tooltip = format!("{}\n{}", look.title, look.tooltip);
        match &self.icon {
            Some(shown) => {
                shown.set_icon(Some(icon))?;
                shown.set_tooltip(Some(tooltip))?;
                shown.set_menu(Some(Box::new(menu)));
            }
            None => {
                let built = TrayIconBuilder::new()
                    .with_id("vacancy")
                    .with_icon(icon)
                    .with_tooltip(tooltip)
                    .with_menu(Box::new(menu))
                    .with_menu_on_left_click(cfg!(target_os = "macos"))
                    .build()?;
                self.icon = Some(built);
            }
        }
        Ok(())
    }
}

fn line<Act: Clone>(
    item: &Item<Act>,
    acts: &mut HashMap<String, Act>,
) -> Result<Box<dyn IsMenuItem>, Box<dyn std::error::Error>> {
    Ok(match item {
        Item::Separator => Box::new(PredefinedMenuItem::separator()),
        Item::Menu { label, items } => {
            let menu = Submenu::new(words(label), true);
            for item in items {
                menu.append(&*line(item, acts)?)?;
            }
            Box::new(menu)
        }
        Item::Line { label, act, icon, is_ticked } => {
            let id = acts.len().to_string();
            let is_enabled = act.is_some();
            if let Some(act) = act {
                acts.insert(id.clone(), act.clone());
            }
            match (is_ticked, icon) {
                (Some(is_ticked), _) => {
                    Box::new(CheckMenuItem::with_id(id, words(label), is_enabled, *is_ticked, None))
                }
                (None, Some(Pixels { side, rgba })) => {
                    let icon = MenuIcon::from_rgba(rgba.clone(), *side, *side)?;
                    Box::new(IconMenuItem::with_id(id, words(label), is_enabled, Some(icon), None))
                }
                (None, None) => Box::new(MenuItem::with_id(id, words(label), is_enabled, None)),
            }
        }
    })
}

/// An ampersand would mark the next letter.
fn words(label: &str) -> String {
    label.replace('&', "&&")
}
