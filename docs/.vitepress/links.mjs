// Links as they are in the repository, to where the site has what they name.
import { destination, fromPage, isElsewhere, isPage, nameOf, addressOf } from './pages.mjs'
import { shown } from './files.mjs'

/** A plugin of markdown-it. A link to nothing ends the build. */
export function links(md) {
  md.core.ruler.push('semel_links', ({ tokens, env }) => {
    const page = env.realPath ?? env.path
    for (const token of tokens) {
      for (const each of [token, ...(token.children ?? [])]) {
        if (each.type === 'link_open') {
          lead(each, page)
        } else if (each.type === 'html_block' || each.type === 'html_inline') {
          each.content = each.content.replace(/(\bsrc|\bsrcset)="(?![./]|[a-z]+:)/g, '$1="./')
        }
      }
    }
  })
}

function lead(token, page) {
  const href = token.attrGet('href')
  if (isElsewhere(href) || href.startsWith('#') || token.attrGet('class') === 'header-anchor') {
    return
  }
  const { file, anchor } = destination(page, href)
  if (isPage(file)) {
    token.attrSet('href', fromPage(page, addressOf(nameOf(file))) + anchor)
  } else {
    token.attrSet('href', fromPage(page, shown(file)))
    // No page of VitePress: without a target its router would take the click, and find nothing.
    token.attrSet('target', '_self')
  }
}
