import { trusted } from '../markup.js'

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
