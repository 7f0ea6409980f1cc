// The site of the documentation: every page as it lies in the repository, at an address without `docs/`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { files } from './files.mjs'
import { links } from './links.mjs'
import { mermaid } from './mermaid.mjs'
import { INDEX, ROOT, addressOf, excluded, sidebar, slug } from './pages.mjs'

const mark = readFileSync(join(ROOT, 'apps/server/src/main/resources/dev/semel/server/page/mark.svg'), 'utf8')
const MARK = `data:image/svg+xml,${encodeURIComponent(mark)}`

/** Pages do not lie beside the packages, so Vue is found from where the rendering program is: in this folder. */
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId: (id, _, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined),
}

export default {
  title: 'Semel',
  description: 'One effect per key: idempotency, messages, jobs and streams on the JVM and over HTTP',
  lang: 'en',
  srcDir: ROOT,
  srcExclude: excluded,
  outDir: join(ROOT, 'target/site'),
  cacheDir: join(ROOT, 'target/site-cache'),
  rewrites: addressOf,
  head: [['link', { rel: 'icon', href: MARK }]],
  vite: { plugins: [vueOfThisFolder], build: { chunkSizeWarningLimit: 3000 } },
  markdown: {
    // As GitHub reads them: its anchors, and neither attributes in braces nor smileys in `a:b`.
    anchor: { slugify: slug },
    attrs: { disable: true },
    config(md) {
      md.core.ruler.disable('emoji')
      md.use(links).use(mermaid)
    },
  },
  buildEnd: files,
  themeConfig: {
    logo: { src: MARK, alt: '' },
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    // Pages about the project: docs/README.md is about its use, and the sidebar is made of that.
    nav: [
      { text: 'Documentation', link: '/' },
      { text: 'What Semel is', link: '/README.html' },
      { text: 'Changes', link: '/CHANGELOG.html' },
      { text: 'Contributing', link: '/CONTRIBUTING.html' },
    ],
    sidebar: sidebar(INDEX),
  },
}
