import { trusted } from './markup.js'

/** Colours of Okabe and Ito (2008), told apart by colour-blind people too; darkened or lightened for contrast. */
const light = `
  --paper:#fff; --ink:#1d2330; --faint:#6a7180; --line:#d9dde4; --band:#f4f6f9; --tint:#e6edf6; --tint2:#fbeedb;
  --tint3:#e2f1eb; --tint4:#f6e6ef; --mark:#0b5cad; --bad:#b3261e; --sim:#7a4b00; --simband:#fff3d6;
  --c1:#0072b2; --c2:#d55e00; --c3:#007d5c; --c4:#b24f86; --c5:#8f6a00; --c6:#2a86b8; --c7:#5b5b5b; --c8:#7b3fa0;`
const dark = `
  --paper:#14171d; --ink:#e6e9ef; --faint:#9aa3b2; --line:#363d49; --band:#1c2129; --tint:#22344a; --tint2:#43341b;
  --tint3:#1c3d33; --tint4:#42283a; --mark:#7ab8ff; --bad:#ff8a80; --sim:#ffd27a; --simband:#3a2e12;
  --c1:#56b4e9; --c2:#f58b3c; --c3:#3cc79d; --c4:#e39ac4; --c5:#e0b93f; --c6:#9cd3f5; --c7:#b8b8b8; --c8:#c59be6;`

export const style = trusted(`
:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.25rem;max-width:76rem;background:var(--paper);color:var(--ink);
  font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:.2em 0 .4em} h2{font-size:1.25rem;margin:2.2em 0 .5em;border-bottom:1px solid var(--line)}
h3{font-size:1.02rem;margin:1.6em 0 .5em}
a{color:var(--mark)} code{font:.9em ui-monospace,monospace}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}
dl.facts dt{color:var(--faint)} dl.facts dd{margin:0}
.sim{display:inline-block;background:var(--simband);color:var(--sim);border-radius:.3em;padding:0 .45em;
  font-size:.78rem;font-weight:600;white-space:nowrap}
.remark,.params{color:var(--faint);font-size:.86rem;margin:.3em 0 .8em}
nav ul{padding-left:1.2rem}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.86rem;width:100%;overflow-wrap:normal}
table.narrow{width:auto}
caption{text-align:left;padding:.9rem 0 .2rem;font-weight:600}
caption>span{position:sticky;left:0;display:inline-block;max-width:calc(100vw - 2rem);white-space:normal}
th,td{padding:.28rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{vertical-align:bottom;font-weight:600;border-bottom:2px solid var(--line)}
.n{text-align:right;white-space:nowrap} th.n{white-space:normal}
tbody th{font-weight:600;white-space:nowrap}
.few{color:var(--faint)} .few small{display:block}
.bad{color:var(--bad);font-weight:600}
.clear{font-weight:600}
.choice{display:flex;gap:.6rem;align-items:center;flex-wrap:wrap;margin:1rem 0 0}
select{font:inherit;max-width:100%;padding:.2rem .4rem;color:var(--ink);background:var(--band);
  border:1px solid var(--line);border-radius:.3em}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1rem}
.charts.pairs{grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr))}
figure{margin:0;padding:.7rem;border:1px solid var(--line);border-radius:.4em;min-width:0;break-inside:avoid}
figcaption{font-size:.9rem;font-weight:600;margin-bottom:.4rem}
figcaption small{display:block;font-weight:400;color:var(--faint)}
figure svg{display:block;max-width:100%;height:auto}
figure.timeline{margin:1rem 0} figure.timeline .wide svg{max-width:none}
details{border:1px solid var(--line);border-radius:.4em;padding:.4rem .7rem;margin:.5rem 0}
summary{cursor:pointer} details ul{margin:.4rem 0;padding-left:1.2rem} details li{margin:.15rem 0}
footer{margin-top:3rem;color:var(--faint);font-size:.86rem}
@media (max-width:40rem){body{padding:.8rem} dl.facts{grid-template-columns:1fr;gap:0} dl.facts dd{margin:0 0 .3rem}}
@media print{body{max-width:none;font-size:11px;padding:0} .choice select{border:0;appearance:none}
  nav{display:none} .wide{overflow:visible} figure.timeline .wide svg{max-width:100%;height:auto}
  table{font-size:9px} th,td{padding:.12rem .22rem} h2,h3{break-after:avoid}
  tr{break-inside:avoid} details::details-content{content-visibility:visible;block-size:auto}
  a{color:inherit;text-decoration:none}}
`)
