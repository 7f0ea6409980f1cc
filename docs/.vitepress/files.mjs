// Files and folders of the repository that pages link to, such as sources: the site brings them along, since it can't
// know where someone else would read them.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, posix } from 'node:path'
import { createMarkdownRenderer } from 'vitepress'
import { nameOf } from './pages.mjs'

const FOLDER = 'files'
const LANGUAGES = {
  '.java': 'java', '.js': 'js', '.json': 'json', '.properties': 'properties', '.sh': 'sh', '.xml': 'xml',
  '.yaml': 'yaml', '.yml': 'yaml',
}
/** A browser shows these itself. */
const AS_IT_IS = new Set(['.html', '.png', '.svg'])
const NO_SOURCES = /^(\.|target$|node_modules$)/

const linked = new Set()

/** Where in the site the file or folder will be. */
export function shown(file) {
  linked.add(file)
  return statSync(file).isDirectory() ? `${addressOf(file)}/index.html` : addressOf(file)
}

function addressOf(file) {
  const name = `${FOLDER}/${nameOf(file)}`
  return statSync(file).isDirectory() || AS_IT_IS.has(extname(file)) ? name : `${name}.html`
}

/** Writes all that was linked to, and what is in linked folders. */
export async function files({ outDir, srcDir, site, markdown }) {
  const { options } = await createMarkdownRenderer(srcDir, markdown, site.base)
  const icon = site.head.find(([tag]) => tag === 'link')[1].href
  // A set can grow while it is walked.
  for (const file of linked) {
    const folder = statSync(file).isDirectory()
    const to = join(outDir, shown(file))
    mkdirSync(dirname(to), { recursive: true })
    if (folder) {
      writeFileSync(to, page(file, icon, list(file)))
    } else if (AS_IT_IS.has(extname(file))) {
      copyFileSync(file, to)
    } else {
      const text = readFileSync(file, 'utf8')
      writeFileSync(to, page(file, icon, options.highlight(text, languageOf(file, text), '')))
    }
  }
}

function languageOf(file, text) {
  const shell = /^#!.*sh\b/.test(text) ? 'sh' : 'text'
  return basename(file) === 'Dockerfile' ? 'docker' : (LANGUAGES[extname(file)] ?? shell)
}

function list(folder) {
  const from = posix.dirname(shown(folder))
  const items = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath ?? each.path, each.name))
    .filter((file) => !nameOf(file).slice(nameOf(folder).length + 1).split('/').some((part) => NO_SOURCES.test(part)))
    .sort()
    .map((file) => `<li><a href="${posix.relative(from, shown(file))}">${escape(nameOf(file))}</a></li>`)
  return `<ul>${items.join('\n')}</ul>`
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** In the theme that was chosen on the other pages. */
function page(file, icon, body) {
  const up = posix.relative(posix.dirname(shown(file)), '') || '.'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(nameOf(file))} | Semel</title><link rel="icon" href="${icon}">
<script>
  const chosen = localStorage.getItem('vitepress-theme-appearance') || 'auto'
  const dark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  document.documentElement.classList.toggle('dark', dark)
</script>
<style>
  :root { color-scheme: light; color: #3c3c43; background: #fff; font: 16px/1.6 ui-sans-serif, system-ui, sans-serif }
  :root.dark { color-scheme: dark; color: #dfdfd6; background: #1b1b1f }
  body { margin: 24px; overflow-wrap: anywhere }
  pre { font: 14px/1.6 ui-monospace, Menlo, Consolas, monospace; overflow-x: auto; overflow-wrap: normal }
  pre span { color: var(--shiki-light) }
  .dark pre span { color: var(--shiki-dark) }
</style></head><body>
<p><a href="${up}/index.html">Documentation</a> / ${escape(nameOf(file))}</p>
${body}
</body></html>
`
}
