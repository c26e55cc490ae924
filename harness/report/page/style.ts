import { trusted } from './markup.js'

/** The colours of timelines, in the variables of the page. */
export const timelineStyle = trusted(`
.tl{font:11px system-ui,sans-serif}
.tl .t{fill:var(--ink)} .tl .h{fill:var(--ink);font-weight:600;font-size:13px} .tl .b{font-weight:700}
.tl .f{fill:var(--faint);font-weight:400;font-size:11px} .tl .l{text-anchor:end} .tl .a{text-anchor:middle}
.tl .e{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}
.tl .good{fill:var(--c3)} .tl .broken{fill:var(--bad)}
.tl .head{fill:var(--band)} .tl .after{fill:var(--ink);opacity:.06}
.tl .grid{stroke:var(--line);fill:none} .tl .fell{stroke:var(--c1);stroke-dasharray:2 4;fill:none}
.tl .harm{stroke:var(--bad);stroke-width:1.5;fill:none}
.tl .state{stroke:var(--faint);stroke-width:.7}
.tl .s0{fill:var(--band)} .tl .s1{fill:var(--tint)} .tl .s2{fill:var(--tint3)} .tl .s3{fill:var(--tint2)} .tl .s4{fill:var(--tint4)}
.tl .number{fill:none;stroke:var(--c1);stroke-width:1.6}
${[1, 2, 3, 4, 5, 6, 7, 8].map((index) => `.tl .p${index}{fill:var(--c${index})}`).join(' ')}
.tl .call{fill:var(--c7);stroke:var(--paper);stroke-width:.6} .tl .cutoff{fill:none;stroke:var(--c7);stroke-dasharray:2 2}
.tl .sleep{fill:var(--tint);stroke:var(--c6)} .tl .suspension{fill:var(--tint3);stroke:var(--c3);stroke-dasharray:4 3}
.tl .accepted{fill:var(--c3)} .tl .refused{fill:none;stroke:var(--c2);stroke-width:1.6}
.tl .invalid{fill:none;stroke:var(--c7);stroke-width:1.5}
.tl .violation{stroke:var(--bad);stroke-width:2.6;fill:none} .tl .trouble{stroke:var(--c2);stroke-width:2.4;fill:none}
.tl .claim{fill:var(--ink);stroke:var(--ink)} .tl .signal{fill:var(--c1)}
.tl .taken{fill:none;stroke:var(--c1);stroke-width:1.6} .tl .poll{fill:none;stroke:var(--c2);stroke-width:1.8}
.tl .lost{fill:none;stroke:var(--c2);stroke-width:1.6} .tl .late{fill:none;stroke:var(--c6);stroke-width:1.4}
.tl .sync{stroke:var(--c3);stroke-width:1.6} .tl .document{fill:var(--c5)}
`)

/** Colours of Okabe and Ito (2008), told apart by colour-blind people too; darkened or lightened for contrast. */
export const light = `
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
