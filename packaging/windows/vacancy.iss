; The installer for Windows, by Inno Setup 6. Written from documentation, never built or run.
;
;   powershell packaging/windows/build.ps1      builds the program and calls this
;
; For one user, without an administrator. Settings and the record stay when it is uninstalled.
#define Version "0.1.0"

[Setup]
AppId={{6E0C8A52-4B7D-4E0B-9C0E-2C6A1F6D4C11}
AppName=Vacancy
AppVersion={#Version}
AppPublisher=The Vacancy authors
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Vacancy
DefaultGroupName=Vacancy
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\licenses\LICENSE-MIT
SetupIconFile=vacancy.ico
UninstallDisplayIcon={app}\vacancyw.exe
Compression=lzma2
SolidCompression=yes
ChangesEnvironment=yes
CloseApplications=yes
OutputDir=..\..\target\packages
OutputBaseFilename=vacancy-{#Version}-windows-x64

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "path"; Description: "Let a terminal find the command vacancy"

[Files]
; The same program twice: for terminals, and for the menu, where it opens no terminal of its own.
Source: "..\..\target\packages\windows\vacancy.exe"; DestDir: "{app}"; Flags: ignoreversion
Source: "..\..\target\packages\windows\vacancyw.exe"; DestDir: "{app}"; Flags: ignoreversion
Source: "..\licenses\*"; DestDir: "{app}\licenses"; Flags: ignoreversion
Source: "..\..\README*.md"; DestDir: "{app}"; Flags: ignoreversion
Source: "..\..\assets\guide\*"; DestDir: "{app}\assets\guide"; Flags: ignoreversion recursesubdirs
Source: "..\..\CHANGELOG.md"; DestDir: "{app}"; Flags: ignoreversion

[Icons]
; The name that Windows shows notices under is that of an entry in the menu with this id.
Name: "{userprograms}\Vacancy"; Filename: "{app}\vacancyw.exe"; AppUserModelID: "app.vacancy.vacancy"
Name: "{userprograms}\Vacancy (demo)"; Filename: "{app}\vacancyw.exe"; Parameters: "demo"

[Registry]
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotInPath

[Run]
Filename: "{app}\vacancyw.exe"; Description: "Open Vacancy"; Flags: nowait postinstall skipifsilent

[Code]
function PathOfUser: String;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Result) then Result := '';
end;

function IsNotInPath: Boolean;
begin
  Result := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', ';' + Lowercase(PathOfUser) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path: String;
begin
  if Step <> usPostUninstall then exit;
  Path := ';' + PathOfUser + ';';
  if StringChangeEx(Path, ';' + ExpandConstant('{app}') + ';', ';', True) > 0 then
    RegWriteExpandStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Copy(Path, 2, Length(Path) - 2));
end;
