// Light or dark: the system's theme, until the user chooses one.
import { signal } from "./vendor.js";

const KEPT = "semel-theme";
const NEXT = { system: "light", light: "dark", dark: "system" };

export const theme = signal(localStorage.getItem(KEPT) ?? "system");

function apply() {
  if (theme.value === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme.value);
}

export function nextTheme() {
  theme.value = NEXT[theme.value] ?? "system";
  localStorage.setItem(KEPT, theme.value);
  apply();
}

/** Plots read colours once, so this draws them again when the system's theme changes. */
export const systemTheme = signal(0);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => systemTheme.value++);
apply();
