// Which pages there are, what they are called, and where they lead: read from the Markdown itself.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
export const INDEX = join(ROOT, 'docs/README.md')

const LINK = /!?\[[^\]]*\]\(([^()\s]+)\)/g
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** Folders and files whose Markdown is no page: results of builds, and what lies in the distribution. */
const EXCLUDED = ['target', 'node_modules', 'apps/cli']
export const excluded = EXCLUDED.flatMap((each) => (each.includes('/') ? [`${each}/**`] : [`**/${each}/**`]))

/** The path in the repository, as links have it. */
export const nameOf = (file) => relative(ROOT, file).split(sep).join('/')

export const isElsewhere = (link) => ELSEWHERE.test(link)

/** Whether the file is a page of the site. */
export function isPage(file) {
  const name = nameOf(file)
  return name.endsWith('.md') && !EXCLUDED.some((each) => `/${name}`.includes(`/${each}/`))
}

/**
 * Where a page of the repository lies in the site, as a path of Markdown: `docs/` is left out, and a folder's README is
 * its index. The index of the site is docs/README.md, so the README of the repository keeps its name.
 */
export function addressOf(name) {
  return name === 'README.md' ? name : name.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}

/** A heading's anchor, as GitHub makes it. `testing/doctest` checks every link by the same rule. */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd} _-]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * The file that a page's link leads to, and the anchor in it.
 *
 * @throws Error there is none
 */
export function destination(page, link) {
  const [path, anchor] = link.split(/(?=#)/, 2)
  const file = path.startsWith('#') ? page : resolve(dirname(page), decodeURI(path))
  if (!existsSync(file)) {
    throw new Error(`${nameOf(page)}: the link ${link} leads nowhere`)
  }
  const index = join(file, 'README.md')
  return {
    file: statSync(file).isDirectory() && existsSync(index) ? index : file,
    anchor: path.startsWith('#') ? path : (anchor ?? ''),
  }
}

/** From a page to a path in the site. */
export const fromPage = (page, path) => posix.relative(posix.dirname(addressOf(nameOf(page))), path)

/** The lines of a page that are neither code nor empty. */
function prose(page) {
  let code = false
  return readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => {
      const fence = line.startsWith('```')
      code = fence ? !code : code
      return !code && !fence
    })
}

function linksOf(page, line) {
  return [...line.replace(/`[^`]*`/g, '`').matchAll(LINK)]
    .map((found) => found[1])
    .filter((link) => !isElsewhere(link) && !link.startsWith('#'))
    .map((link) => destination(page, link))
    .filter(({ file }) => isPage(file))
}

const linksOfPage = (page) => prose(page).flatMap((line) => linksOf(page, line))

function itemOf(page) {
  const heading = prose(page).find((line) => line.startsWith('# ')) ?? basename(page)
  const text = heading.replace(/^# /, '').replaceAll('`', '')
  return { text, link: `/${addressOf(nameOf(page)).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}` }
}

/**
 * The parts of the index with the pages that it lists, each once in a part. Where it does not list the pages of a folder
 * of docs/, they are below the page that links to most of them.
 */
export function sidebar(index) {
  const parts = []
  const listed = new Set([index])
  const whole = new Set(linksOfPage(index).filter(({ anchor }) => !anchor).map(({ file }) => file))
  let inPart
  let group
  for (const line of prose(index)) {
    const [, level, text] = line.match(/^(##+) (.*)$/) ?? []
    if (level) {
      group = { text, collapsed: false, items: [] }
      if (level === '##') {
        inPart = new Set()
        parts.push(group)
      } else {
        parts.at(-1).items.push(group)
      }
    }
    for (const { file, anchor } of group ? linksOf(index, line) : []) {
      // A link to a section stands for its page only where no other link does.
      if (!inPart.has(file) && (!anchor || !whole.has(file))) {
        inPart.add(file)
        listed.add(file)
        group.items.push({ page: file, ...itemOf(file) })
      }
    }
  }
  const below = pagesBelow(listed)
  const finished = ({ page, ...item }) => {
    const items = page ? below.get(page)?.map(itemOf) : item.items.map(finished)
    return items ? { collapsed: true, ...item, items } : item
  }
  return parts.map(finished)
}

/** Pages that are not listed, by the listed page that they are below. */
function pagesBelow(listed) {
  const most = new Map()
  for (const page of listed) {
    const fresh = new Map()
    for (const { file } of linksOfPage(page)) {
      if (!listed.has(file) && nameOf(file).startsWith('docs/')) {
        fresh.set(dirname(file), (fresh.get(dirname(file)) ?? new Set()).add(file))
      }
    }
    for (const [folder, pages] of fresh) {
      if (pages.size > (most.get(folder)?.pages.size ?? 0)) {
        most.set(folder, { page, pages })
      }
    }
  }
  return new Map([...most.values()].map(({ page, pages }) => [page, [...pages]]))
}
