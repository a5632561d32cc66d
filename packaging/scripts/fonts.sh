#!/bin/sh
# Cuts the fonts in assets/fonts from full ones. Run it again when the catalogue test names a character without a glyph.
#
# Needs: Debian packages fonts-inter and fonts-noto-cjk, python3 with fonttools (`pip install fonttools`).
# Other places: INTER_DIR (Inter-Regular.otf, Inter-SemiBold.otf), CJK_DIR (NotoSansCJK-Regular.ttc, NotoSansCJK-Bold.ttc).
set -eu
cd "$(dirname "$0")/../.."
inter=${INTER_DIR:-/usr/share/fonts/opentype/inter}
cjk=${CJK_DIR:-/usr/share/fonts/opentype/noto}
python=${PYTHON:-python3}
out=assets/fonts
chars=$(mktemp)
trap 'rm -f "$chars"' EXIT

# Every character of the catalogue, and as a base the first level of GB 2312 (3,755 characters), its punctuation and the
# full-width forms, so that text of users and providers and later messages seldom need another cut.
"$python" - "$chars" <<'PY'
import glob, sys
wanted = {c for path in glob.glob("assets/i18n/*/*.ftl") for c in open(path, encoding="utf-8").read()}
for rows in (range(1, 2), range(3, 4), range(16, 56)):
    for row in rows:
        for cell in range(1, 95):
            try:
                wanted.add(bytes((0xA0 + row, 0xA0 + cell)).decode("gb2312"))
            except UnicodeDecodeError:
                pass
open(sys.argv[1], "w", encoding="utf-8").write("".join(sorted(c for c in wanted if ord(c) >= 0x80)))
PY

# Latin, Greek, Cyrillic, punctuation, currency, arrows, mathematical signs, keys.
latin=U+0020-024F,U+0300-036F,U+0370-052F,U+1E00-1EFF,U+2000-206F,U+20A0-20BF,U+2100-214F,U+2190-21FF,U+2200-22FF,U+2318,U+2325,U+21E7,U+2713,U+2717
for weight in Regular SemiBold; do
    "$python" -m fontTools.subset "$inter/Inter-$weight.otf" --unicodes="$latin" --layout-features=kern,mark,mkmk,ccmp,locl,tnum \
        --no-hinting --desubroutinize --name-IDs='*' --output-file="$out/Inter-$weight.otf"
done
# Face 2 of a collection is Simplified Chinese; 0 would draw Japanese shapes.
for weight in Regular Bold; do
    "$python" -m fontTools.subset "$cjk/NotoSansCJK-$weight.ttc" --font-number=2 --text-file="$chars" --layout-features= \
        --no-hinting --desubroutinize --output-file="$out/NotoSansSC-$weight-subset.otf"
done
ls -l "$out"
