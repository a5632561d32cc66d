# Builds the program and its installer on Windows. Written from documentation, never run.
#
# Needs Rust for x86_64-pc-windows-msvc (with CMake and NASM, which aws-lc-sys asks for) and Inno Setup 6. Icon, version and
# manifest lie ready in vacancy.res, which the linker takes as it is: no resource compiler is needed.
$ErrorActionPreference = 'Stop'
Set-Location "$PSScriptRoot\..\.."
$resources = (Resolve-Path packaging\windows\vacancy.res).Path
$out = 'target\packages\windows'
New-Item -ItemType Directory -Force $out | Out-Null

function Build([string[]] $more, [string] $name) {
    $flags = @('-C', "link-arg=$resources", '-C', 'link-arg=/MANIFEST:NO') + $more
    cargo rustc --profile dist --locked --bin vacancy --target x86_64-pc-windows-msvc -- @flags
    if ($LASTEXITCODE -ne 0) { throw 'the build failed' }
    Copy-Item target\x86_64-pc-windows-msvc\dist\vacancy.exe "$out\$name"
}
Build @() 'vacancy.exe'
# Linked as a program of the desktop, so that the menu's entry opens no terminal.
Build @('-C', 'link-arg=/SUBSYSTEM:WINDOWS', '-C', 'link-arg=/ENTRY:mainCRTStartup') 'vacancyw.exe'

# To sign: signtool sign /fd SHA256 /tr TIMESTAMP-SERVER /td SHA256 both programs here, and the installer below.
& "${env:ProgramFiles(x86)}\Inno Setup 6\ISCC.exe" packaging\windows\vacancy.iss
if ($LASTEXITCODE -ne 0) { throw 'the installer was not made' }
