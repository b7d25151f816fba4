//! Where Z3 is.

use std::process::{Command, Stdio};

fn python(code: &str) -> Option<String> {
    let output = Command::new("python3").args(["-c", code]).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The z3 program: beside the Python package if that is installed (a wrapper on the path would add its own
/// time), else on the path.
pub fn z3() -> Option<String> {
    let beside = python("import sysconfig, z3; print(sysconfig.get_path('scripts') + '/z3')");
    let candidates = beside.into_iter().chain(["z3".to_owned()]);
    candidates
        .into_iter()
        .find(|z3| Command::new(z3).arg("-version").output().is_ok_and(|o| o.status.success()))
}
