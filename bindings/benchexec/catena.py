"""The tool-info module of BenchExec for Catena.

Put this file into the package of tool-info modules (or name it by its module path in the benchmark definition); the
program `catena` has to be in the PATH or in the tool directory.
"""

import re

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Runs `catena verify --svcomp PROPERTY` and reads its last line."""

    PROPERTIES = {
        "unreach-call": r"G\s*!\s*call\(\s*reach_error\(\)\s*\)",
        "valid-memcleanup": r"valid-memcleanup",
        "valid-memsafety": r"valid-(free|deref|memtrack)",
        "no-overflow": r"G\s*!\s*overflow",
        "termination": r"F\s*end",
    }

    def executable(self, tool_locator):
        return tool_locator.find_executable("catena")

    def name(self):
        return "Catena"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="catena")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options]
        if task.property_file and "--svcomp" not in options:
            command += ["--svcomp", self._property(task.property_file)]
        model = task.options.get("data_model") if isinstance(task.options, dict) else None
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", str(max(1, int(rlimits.cputime * 0.95)))]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(max(64, int(rlimits.memory * 0.9 / 1_000_000)))]
        return command + list(task.input_files_or_identifier)

    def _property(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for word, pattern in self.PROPERTIES.items():
            if re.search(pattern, text):
                return word
        raise benchexec.tools.template.UnsupportedFeatureException(f"unknown property in {path}")

    def determine_result(self, run):
        for line in reversed([str(line).strip() for line in run.output]):
            if line.startswith("VERDICT: "):
                verdict = line[len("VERDICT: "):]
                if verdict == "true":
                    return result.RESULT_TRUE_PROP
                match = re.fullmatch(r"false\(([a-z-]+)\)", verdict)
                if match:
                    return self._false(match.group(1))
                return f"{result.RESULT_UNKNOWN}{verdict[len('unknown'):][:60]}"
        if run.exit_code.signal or run.was_timeout:
            return result.RESULT_ERROR
        return {64: "ERROR(usage)", 65: "ERROR(input)", 70: "ERROR(internal)"}.get(
            run.exit_code.value, result.RESULT_ERROR
        )

    def _false(self, prop):
        named = {
            "unreach-call": result.RESULT_FALSE_REACH,
            "valid-deref": result.RESULT_FALSE_DEREF,
            "valid-free": result.RESULT_FALSE_FREE,
            "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
            "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
            "no-overflow": result.RESULT_FALSE_OVERFLOW,
            "termination": result.RESULT_FALSE_TERMINATION,
        }
        return named.get(prop, f"false({prop})")
