//! The icon's files are what the one drawing gives. `packaging/scripts/icons` writes them anew.

use std::io::Cursor;

use image::{ImageFormat, RgbaImage};
use vacancy::ui::widgets::logo;

use super::{source, text};

/// The sizes that desktops on Linux ask for.
const SIDES: [u32; 9] = [16, 22, 24, 32, 48, 64, 128, 256, 512];

/// Those within an icon of Windows.
const ICO_SIDES: [u32; 6] = [16, 24, 32, 48, 64, 256];

/// Those within an icon of macOS: the type of each entry, the second time a size comes for screens of double density.
const ICNS: [(&[u8; 4], u32); 11] = [
    (b"icp4", 16),
    (b"ic11", 32),
    (b"icp5", 32),
    (b"icp6", 64),
    (b"ic12", 64),
    (b"ic07", 128),
    (b"ic13", 256),
    (b"ic08", 256),
    (b"ic14", 512),
    (b"ic09", 512),
    (b"ic10", 1024),
];

/// Every file and its bytes.
fn drawn() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = SIDES
        .iter()
        .map(|side| (format!("packaging/linux/icons/{side}x{side}/vacancy.png"), png(&logo::icon(*side))))
        .collect();
    files.push(("packaging/linux/icons/scalable/vacancy.svg".to_owned(), logo::icon_svg().into_bytes()));
    let symbolic = logo::icon_symbolic_svg().into_bytes();
    files.push(("packaging/linux/icons/symbolic/vacancy-symbolic.svg".to_owned(), symbolic));
    files.push(("packaging/macos/vacancy.icns".to_owned(), icns()));
    files.push(("packaging/windows/vacancy.ico".to_owned(), ico()));
    files.push(("packaging/windows/vacancy.res".to_owned(), resources(&text("packaging/windows/vacancy.manifest"))));
    files
}

fn png(image: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A tag and a length before each PNG, in big-endian, as Apple's container is known to be.
fn icns() -> Vec<u8> {
    let mut body = Vec::new();
    for (tag, side) in ICNS {
        let picture = png(&logo::icon(side));
        body.extend(tag);
        body.extend((picture.len() as u32 + 8).to_be_bytes());
        body.extend(picture);
    }
    let mut file = b"icns".to_vec();
    file.extend((body.len() as u32 + 8).to_be_bytes());
    file.extend(body);
    file
}

/// One size as Windows keeps it: PNG when it is large, otherwise a bitmap, bottom line first, blue before green before
/// red, with a mask of its own that is left empty as alpha decides.
fn ico_picture(side: u32) -> Vec<u8> {
    let image = logo::icon(side);
    if side == 256 {
        return png(&image);
    }
    let mask = side.div_ceil(32) * 4 * side;
    let mut bytes = Vec::new();
    for field in [40, side, side * 2] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(32_u16.to_le_bytes());
    for field in [0, side * side * 4 + mask, 0, 0, 0, 0] {
        bytes.extend(field.to_le_bytes());
    }
    for row in image.rows().rev() {
        for pixel in row {
            let [red, green, blue, alpha] = pixel.0;
            bytes.extend([blue, green, red, alpha]);
        }
    }
    bytes.resize(bytes.len() + mask as usize, 0);
    bytes
}

/// What a directory of icons says about one, up to where it lies.
fn ico_entry(side: u32, bytes: &[u8]) -> Vec<u8> {
    // 256 is written as 0.
    let mut entry = vec![side as u8, side as u8, 0, 0];
    entry.extend(1_u16.to_le_bytes());
    entry.extend(32_u16.to_le_bytes());
    entry.extend((bytes.len() as u32).to_le_bytes());
    entry
}

fn ico_head() -> Vec<u8> {
    [0, 1, ICO_SIDES.len() as u16].iter().flat_map(|field| field.to_le_bytes()).collect()
}

fn ico() -> Vec<u8> {
    let pictures = ICO_SIDES.map(|side| (side, ico_picture(side)));
    let mut file = ico_head();
    let mut at = file.len() + 16 * pictures.len();
    for (side, bytes) in &pictures {
        file.extend(ico_entry(*side, bytes));
        file.extend((at as u32).to_le_bytes());
        at += bytes.len();
    }
    pictures.iter().for_each(|(_, bytes)| file.extend(bytes));
    file
}

/// A compiled resource file, which Microsoft's linker takes as it is: icons (type 3), their group (14), version (16),
/// manifest (24).
fn resources(manifest: &str) -> Vec<u8> {
    let mut file = resource(0, 0, 0, &[]);
    let mut group = ico_head();
    for (id, side) in (1_u16..).zip(ICO_SIDES) {
        let bytes = ico_picture(side);
        group.extend(ico_entry(side, &bytes));
        group.extend(id.to_le_bytes());
        file.extend(resource(3, id, 0x0409, &bytes));
    }
    file.extend(resource(14, 1, 0x0409, &group));
    file.extend(resource(16, 1, 0x0409, &version()));
    file.extend(resource(24, 1, 0x0409, manifest.as_bytes()));
    file
}

/// What Explorer shows about the program. Each part begins with its length, that of its value, and 1 where that is text.
fn version() -> Vec<u8> {
    let number = env!("CARGO_PKG_VERSION");
    let parts: Vec<u32> = number.split('.').map(|part| part.parse().unwrap()).collect();
    let high_low = [parts[0] << 16 | parts[1], parts[2] << 16];
    let mut fixed = Vec::new();
    // Signature and version of the form, our version twice, mask, flags, Windows NT, a program, no subtype, no date.
    for field in
        [0xFEEF_04BD, 0x1_0000, high_low[0], high_low[1], high_low[0], high_low[1], 0x3F, 0, 0x4_0004, 1, 0, 0, 0]
    {
        fixed.extend(field.to_le_bytes());
    }
    let texts = [
        ("CompanyName", "The Vacancy authors"),
        ("FileDescription", "Vacancy"),
        ("FileVersion", number),
        ("LegalCopyright", "MIT or Apache-2.0"),
        ("ProductName", "Vacancy"),
        ("ProductVersion", number),
    ];
    let texts = texts.map(|(key, value)| {
        let value = wide(value);
        part(key, &value, value.len() as u16 / 2, 1, &[])
    });
    let table = part("040904b0", &[], 0, 1, &texts);
    let translation = part("Translation", &[0x09, 0x04, 0xB0, 0x04], 4, 0, &[]);
    let children = [part("StringFileInfo", &[], 0, 1, &[table]), part("VarFileInfo", &[], 0, 1, &[translation])];
    part("VS_VERSION_INFO", &fixed, fixed.len() as u16, 0, &children)
}

fn part(key: &str, value: &[u8], length: u16, kind: u16, children: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = [0, length, kind].iter().flat_map(|field: &u16| field.to_le_bytes()).collect::<Vec<u8>>();
    bytes.extend(wide(key));
    for piece in std::iter::once(value).chain(children.iter().map(Vec::as_slice)) {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.extend(piece);
    }
    let whole = (bytes.len() as u16).to_le_bytes();
    bytes[..2].copy_from_slice(&whole);
    bytes
}

/// UTF-16 with its end.
fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

fn resource(kind: u16, id: u16, language: u16, data: &[u8]) -> Vec<u8> {
    let mut bytes = (data.len() as u32).to_le_bytes().to_vec();
    bytes.extend(32_u32.to_le_bytes());
    for field in [0xFFFF, kind, 0xFFFF, id, 0, 0] {
        bytes.extend(field.to_le_bytes());
    }
    // Flags: none; those of 16-bit Windows are read by nobody.
    bytes.extend(0_u16.to_le_bytes());
    bytes.extend(language.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

#[test]
fn files_are_as_drawn() {
    for (path, bytes) in drawn() {
        #[expect(clippy::disallowed_methods, reason = "the switch that refreshes pictures, as egui_kittest reads it")]
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::create_dir_all(source(&path).parent().unwrap()).unwrap();
            std::fs::write(source(&path), &bytes).unwrap();
        }
        let packaged = std::fs::read(source(&path)).unwrap_or_default();
        assert!(packaged == bytes, "{path}: run packaging/scripts/icons and look at the pictures");
    }
}

#[test]
fn the_light_is_on_in_every_size_and_edges_are_sharp() {
    for side in SIDES {
        let drawn = logo::icon(side);
        assert_eq!(drawn.get_pixel(0, 0).0[3], 0, "{side}: corners are transparent");
        let middle = side / 2;
        assert_eq!(drawn.get_pixel(middle, middle + side / 16).0, [0x40, 0xF0, 0xD2, 255], "{side}: the light is on");
        let row: Vec<_> = drawn.rows().nth((middle + side / 16) as usize).unwrap().map(|pixel| pixel.0).collect();
        let colours: std::collections::BTreeSet<_> = row.iter().collect();
        assert_eq!(colours.len(), 2, "{side}: across the middle there are plate and light, and nothing between");
        let mirrored: Vec<_> = row.iter().rev().copied().collect();
        assert_eq!(row, mirrored, "{side}: both sides are alike");
    }
}

/// Reads both containers back by their own lengths.
#[test]
fn containers_end_where_they_say() {
    let icns = icns();
    assert_eq!(u32::from_be_bytes(icns[4..8].try_into().unwrap()) as usize, icns.len());
    let mut at = 8;
    for (tag, side) in ICNS {
        assert_eq!(&icns[at..at + 4], tag);
        let length = u32::from_be_bytes(icns[at + 4..at + 8].try_into().unwrap()) as usize;
        let picture = image::load_from_memory(&icns[at + 8..at + length]).unwrap();
        assert_eq!(picture.width(), side);
        at += length;
    }
    assert_eq!(at, icns.len());

    let ico = ico();
    let mut end = 6 + 16 * ICO_SIDES.len();
    for index in 0..ICO_SIDES.len() {
        let entry = &ico[6 + 16 * index..][..16];
        let [length, start] = [8, 12].map(|at| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap()) as usize);
        assert_eq!(start, end, "pictures lie one after the other");
        end += length;
    }
    assert_eq!(end, ico.len());
}

#[test]
fn resources_are_whole_and_in_steps_of_four() {
    let file = resources("<assembly/>");
    let mut at = 0;
    let mut kinds = Vec::new();
    while at < file.len() {
        let length = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        kinds.push(u16::from_le_bytes(file[at + 10..at + 12].try_into().unwrap()));
        at = (at + 32 + length).next_multiple_of(4);
    }
    assert_eq!(at, file.len());
    assert_eq!(kinds, [0, 3, 3, 3, 3, 3, 3, 14, 16, 24]);
}
