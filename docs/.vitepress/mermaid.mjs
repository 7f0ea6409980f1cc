// Fences of Mermaid are diagrams, as on GitHub.

/** A plugin of markdown-it. */
export function mermaid(md) {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]
    return info.trim() === 'mermaid'
      ? `<MermaidDiagram source="${encodeURIComponent(content)}" />\n`
      : fence(tokens, index, ...rest)
  }
}
