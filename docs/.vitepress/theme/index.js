// The default theme in the fonts of the reader's system, with diagrams.
import Theme from 'vitepress/theme-without-fonts'
import MermaidDiagram from './MermaidDiagram.vue'
import './style.css'

export default {
  extends: Theme,
  enhanceApp: ({ app }) => app.component('MermaidDiagram', MermaidDiagram),
}
