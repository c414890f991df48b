/** The drawings of the sample photos: a blue coupé in a lit garage. Shapes and gradients only: fonts may be missing. */
export type View = 'front' | 'side';

/** 4:3, like a phone's camera. */
export const scene = { width: 1600, height: 1200 };

/** An SVG picture of the car in its garage. */
export function drawScene(view: View): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${scene.width}" height="${scene.height}" viewBox="0 0 ${scene.width} ${scene.height}">
<defs>${gradient('wall', '#5d6670', '#9aa3aa')}${gradient('floor', '#8a8f92', '#4b4f53')}${gradient('body', '#6fb0e6', '#0a2850')}${gradient('glass', '#48606f', '#141d24')}
<radialGradient id="glow"><stop stop-color="#fff8e0" stop-opacity=".85"/><stop offset="1" stop-color="#fff3cf" stop-opacity="0"/></radialGradient></defs>
<path fill="url(#wall)" d="M0 0H1600V770H0Z"/><path fill="#7d858c" stroke="#4d545a" stroke-width="14" d="M440 230H1160V770H440Z"/>
<path stroke="#6d757b" stroke-width="6" d="M440 320H1160M440 410H1160M440 500H1160M440 590H1160M440 680H1160"/>
${[300, 800, 1300].map((x) => `<ellipse cx="${x}" cy="110" rx="420" ry="260" fill="url(#glow)"/><rect x="${x - 150}" y="96" width="300" height="16" fill="#fffbe9"/>`).join('')}
<path fill="url(#floor)" d="M0 770H1600V1200H0Z"/><path fill="#e4c24a" opacity=".7" d="M250 1200L420 776H436L300 1200ZM1350 1200L1180 776H1164L1300 1200Z"/>
${view === 'front' ? front : side}</svg>`;
}

const gradient = (id: string, top: string, bottom: string) =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`;

const shadow = (y: number) => `<ellipse cx="800" cy="${y}" rx="640" ry="46" opacity=".6"/>`;

const wheel = (x: number) =>
  `<circle cx="${x}" cy="890" r="104" fill="#17191b"/><circle cx="${x}" cy="890" r="68" fill="#b4babf"/><circle cx="${x}" cy="890" r="18" fill="#2a2e31"/>`;

const side = `${shadow(985)}
<path fill="url(#body)" d="M178 880C160 800 168 742 226 716C300 690 380 684 448 676C540 600 640 552 800 548C960 546 1060 600 1146 676C1260 690 1370 706 1418 756C1446 790 1448 850 1436 890L1400 912H206Z"/>
<path fill="url(#glass)" d="M500 682C570 622 660 580 776 576V686ZM796 576C930 574 1020 616 1092 682L1070 690H796Z"/>
<path fill="none" stroke="#0a2850" stroke-width="4" d="M520 700C516 780 520 850 546 902M786 690V900M1086 700C1100 740 1098 790 1076 850"/>
<path fill="#fffbe9" d="M196 752C214 730 250 722 276 724C268 756 240 776 190 782Z"/><path fill="#c4202a" d="M1398 748L1432 784L1424 806C1396 796 1382 772 1376 752Z"/>
${wheel(424)}${wheel(1196)}`;

const mirrored = (drawing: string) =>
  `${drawing}<g transform="translate(1600 0) scale(-1 1)">${drawing}</g>`;

const front = `${shadow(1046)}${mirrored('<rect x="376" y="900" width="140" height="148" rx="30" fill="#17191b"/>')}
<path fill="url(#body)" d="M520 640C556 528 600 456 640 440C740 424 860 424 960 440C1000 456 1044 528 1080 640C1130 656 1238 700 1236 800L1228 940C1226 984 1196 1004 1150 1008H450C404 1004 374 984 372 940L364 800C362 700 470 656 520 640Z"/>
<path fill="url(#glass)" d="M548 640C580 548 614 486 646 470C742 456 858 456 954 470C986 486 1020 548 1052 640C900 660 700 660 548 640Z"/>
${mirrored('<circle cx="456" cy="760" r="62" fill="#fffbe9" stroke="#0d2f5c" stroke-width="12"/><rect x="412" y="872" width="96" height="30" rx="15" fill="#f0a93a"/>')}
<path fill="#0f1317" d="M600 880H1000L976 952H624Z"/><rect x="690" y="816" width="220" height="52" fill="#f1f2ee" stroke="#33383c" stroke-width="4"/>`;
