//! Bytes that no library would make for us.

/// A gzip stream of about `packed` bytes that unpacks to 158 times as many zero bytes and has no end.
///
/// One block with fixed codes (RFC 1951, 3.2.6): a literal zero, then "repeat 258 times the byte before", 13 bits each.
pub(super) fn gzip_of_zeros(packed: usize) -> Vec<u8> {
    // RFC 1952: magic, deflate, no flags, no time, no hints, system unknown.
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    let (mut bits, mut length) = (0_u32, 0);
    let mut push = |code: &str| {
        for bit in code.bytes() {
            bits |= u32::from(bit == b'1') << length;
            length += 1;
            if length == 8 {
                bytes.push(bits.to_le_bytes()[0]);
                (bits, length) = (0, 0);
            }
        }
        bytes.len()
    };
    // Not the last block; fixed codes (01, its low bit first); literal 0.
    push("0");
    push("10");
    push("00110000");
    // Code 285: length 258 without extra bits; distance code 0: one byte back.
    while push("1100010100000") < packed {}
    bytes
}
