/** The drawings of the sample photos: a blue coupé in a lit garage. Shapes and gradients only: fonts may be missing. */
export type View = 'front' | 'side';

/** 4:3, like a phone's camera. */
export const scene = { width: 1600, height: 1200 };

/** An SVG picture of the car in its garage. */
export function drawScene(view: View): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${scene.width}" height="${scene.height}" viewBox="0 0 ${scene.width} ${scene.height}">
${paints}${garage}${view === 'front' ? front : side}
<rect width="1600" height="1200" fill="url(#vignette)"/></svg>`;
}

const stops = (...colors: [at: number, color: string, opacity?: number][]) =>
  colors
    .map(
      ([at, color, opacity = 1]) =>
        `<stop offset="${at}" stop-color="${color}" stop-opacity="${opacity}"/>`,
    )
    .join('');
const downward = (id: string, ...colors: Parameters<typeof stops>) =>
  `<linearGradient id="${id}" x2="0" y2="1">${stops(...colors)}</linearGradient>`;
const radial = (id: string, ...colors: Parameters<typeof stops>) =>
  `<radialGradient id="${id}">${stops(...colors)}</radialGradient>`;

const paints = `<defs>
${downward('wall', [0, '#5d6670'], [0.55, '#9aa3aa'], [1, '#7d858c'])}
${downward('floor', [0, '#6f7478'], [0.25, '#888d90'], [1, '#4b4f53'])}
${downward('door', [0, '#b9bfc3'], [1, '#8d959b'])}
${downward('body', [0, '#6fb0e6'], [0.22, '#2c78c4'], [0.55, '#174f93'], [0.62, '#123f78'], [1, '#0a2850'])}
${downward('hood', [0, '#7dbbee'], [0.5, '#2f7dca'], [1, '#1a5599'])}
${downward('glass', [0, '#20303d'], [0.5, '#48606f'], [1, '#141d24'])}
${downward('chrome', [0, '#f4f6f7'], [0.5, '#a4abb0'], [1, '#e2e6e8'])}
${radial('rim', [0, '#f2f4f5'], [0.7, '#b4babf'], [1, '#7a8186'])}
${radial('lamp', [0, '#ffffff'], [0.55, '#f3efdc'], [1, '#a9a89c'])}
${radial('glow', [0, '#fff8e0', 0.85], [0.4, '#fff3cf', 0.25], [1, '#fff3cf', 0])}
${radial('shadow', [0, '#000000', 0.75], [0.6, '#000000', 0.5], [1, '#000000', 0])}
<radialGradient id="vignette" r="0.75">${stops([0.55, '#000000', 0], [1, '#000000', 0.5])}</radialGradient>
<filter id="soft"><feGaussianBlur stdDeviation="6"/></filter>
</defs>`;

const range = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const garage = `<rect width="1600" height="800" fill="url(#wall)"/>
<rect width="1600" height="120" fill="#3b4248"/>
${range(3, (n) => `<ellipse cx="${300 + n * 500}" cy="118" rx="420" ry="260" fill="url(#glow)"/><rect x="${150 + n * 500}" y="104" width="300" height="16" rx="8" fill="#fffbe9"/>`)}
<rect x="440" y="230" width="720" height="540" fill="url(#door)"/>
${range(6, (n) => `<rect x="440" y="${316 + n * 90}" width="720" height="5" fill="#6d757b"/><rect x="440" y="${321 + n * 90}" width="720" height="3" fill="#d5dadd"/>`)}
<path d="M426 770V216H1174V770H1160V230H440V770Z" fill="#4d545a"/>
<rect x="60" y="330" width="270" height="440" fill="#525a61"/>
${range(4, (n) => `<rect x="60" y="${430 + n * 108}" width="270" height="12" fill="#2f353a"/>`)}
<rect x="84" y="360" width="56" height="70" rx="6" fill="#c0392b"/><rect x="152" y="376" width="44" height="54" rx="4" fill="#e0a63a"/><rect x="214" y="350" width="90" height="80" rx="5" fill="#6b7f8f"/>
<rect x="80" y="466" width="110" height="72" rx="4" fill="#8a6d4b"/><rect x="206" y="480" width="96" height="58" rx="6" fill="#3f6c58"/><circle cx="130" cy="606" r="40" fill="#26292c"/><circle cx="130" cy="606" r="18" fill="#60676c"/><circle cx="236" cy="606" r="40" fill="#26292c"/><circle cx="236" cy="606" r="18" fill="#60676c"/>
<rect x="1290" y="380" width="210" height="270" rx="6" fill="#d9c9a3"/>
${range(5, (n) => `<rect x="${1318 + n * 34}" y="410" width="10" height="${110 + ((n * 37) % 70)}" rx="4" fill="#575e63"/>`)}
<rect y="770" width="1600" height="430" fill="url(#floor)"/>
<rect y="766" width="1600" height="10" fill="#3a3f43"/>
<path d="M250 1200L420 776H436L300 1200ZM1350 1200L1180 776H1164L1300 1200Z" fill="#e4c24a" opacity="0.75"/>
${range(3, (n) => `<ellipse cx="${300 + n * 500}" cy="1010" rx="330" ry="90" fill="url(#glow)" opacity="0.3"/>`)}`;

const wheel = (
  x: number,
) => `<circle cx="${x}" cy="890" r="104" fill="#17191b"/><circle cx="${x}" cy="890" r="98" fill="none" stroke="#303437" stroke-width="5"/>
<circle cx="${x}" cy="890" r="70" fill="url(#rim)"/><circle cx="${x}" cy="890" r="60" fill="#2a2e31"/>
${range(10, (n) => `<path d="M-7 0L-4 -62H4L7 0Z" fill="url(#chrome)" transform="translate(${x} 890) rotate(${n * 36})"/>`)}
<circle cx="${x}" cy="890" r="17" fill="#c9ced1"/><circle cx="${x}" cy="890" r="8" fill="#174f93"/>`;

const side = `<ellipse cx="800" cy="985" rx="680" ry="46" fill="url(#shadow)"/>
<path d="M178 880C160 800 168 742 226 716C300 690 380 684 448 676C540 600 640 552 800 548C960 546 1060 600 1146 676C1260 690 1370 706 1418 756C1446 790 1448 850 1436 890L1400 912H1308A112 112 0 0 0 1084 912H536A112 112 0 0 0 312 912H206Z" fill="url(#body)"/>
<path d="M500 682C570 622 660 580 776 576V686Z" fill="url(#glass)"/><path d="M796 576C930 574 1020 616 1092 682L1070 690H796Z" fill="url(#glass)"/>
<path d="M560 680L650 606L690 594L590 682ZM840 686L900 582L950 592L882 688Z" fill="#ffffff" opacity="0.16"/>
<path d="M182 796C500 764 1100 764 1440 806L1440 816C1100 778 500 778 180 808Z" fill="#9fd0f5" opacity="0.55" filter="url(#soft)"/>
<path d="M520 700C516 780 520 850 546 902M786 690V900M1086 700C1100 740 1098 790 1076 850" fill="none" stroke="#0a2850" stroke-width="4" opacity="0.8"/>
<rect x="700" y="742" width="62" height="13" rx="6" fill="url(#chrome)"/>
<path d="M532 690C500 672 470 676 476 700C486 716 520 714 540 706Z" fill="url(#hood)"/>
<path d="M196 752C214 730 250 722 276 724C268 756 240 776 190 782Z" fill="url(#lamp)"/><path d="M1398 748L1432 784L1424 806C1396 796 1382 772 1376 752Z" fill="#c4202a"/>
<path d="M540 900H1080V924H540Z" fill="#10151a"/><path d="M172 868L312 900L310 916L206 914Z" fill="#10151a"/><path d="M1310 912L1438 872L1430 900L1400 918Z" fill="#10151a"/>
${wheel(424)}${wheel(1196)}`;

const mirrored = (drawing: string) =>
  `${drawing}<g transform="translate(1600 0) scale(-1 1)">${drawing}</g>`;

const front = `<ellipse cx="800" cy="1046" rx="560" ry="52" fill="url(#shadow)"/>
${mirrored('<path d="M376 900H516V1010C516 1036 504 1048 482 1048H412C388 1048 376 1036 376 1010Z" fill="#17191b"/><path d="M392 930V1020M420 930V1036M448 930V1036" stroke="#303437" stroke-width="6"/>')}
<path d="M520 640C556 528 600 456 640 440C740 424 860 424 960 440C1000 456 1044 528 1080 640Z" fill="url(#body)"/>
<path d="M548 640C580 548 614 486 646 470C742 456 858 456 954 470C986 486 1020 548 1052 640C900 660 700 660 548 640Z" fill="url(#glass)"/>
<path d="M640 500L700 470H760L640 646H572Z" fill="#ffffff" opacity="0.15"/>
${mirrored('<path d="M528 610C470 590 440 598 440 626C444 650 490 652 536 640Z" fill="url(#hood)"/>')}
<path d="M372 940C356 830 362 740 420 690C470 656 520 640 560 634C700 660 900 660 1040 634C1080 640 1130 656 1180 690C1238 740 1244 830 1228 940C1226 984 1196 1004 1150 1008H450C404 1004 374 984 372 940Z" fill="url(#body)"/>
<path d="M540 646C700 668 900 668 1060 646C1090 690 1086 740 1064 776C900 800 700 800 536 776C514 740 510 690 540 646Z" fill="url(#hood)"/>
<path d="M690 664L676 784M910 664L924 784" stroke="#123f78" stroke-width="4" opacity="0.6"/>
<path d="M600 668C700 682 900 682 1000 668L990 700C900 712 700 712 610 700Z" fill="#ffffff" opacity="0.22" filter="url(#soft)"/>
${mirrored(
  '<ellipse cx="456" cy="760" rx="70" ry="64" fill="#0d2f5c"/><ellipse cx="456" cy="760" rx="60" ry="55" fill="url(#lamp)"/><ellipse cx="456" cy="760" rx="28" ry="26" fill="#d8dcd6" stroke="#8b908d" stroke-width="4"/><ellipse cx="438" cy="738" rx="14" ry="10" fill="#ffffff"/><rect x="412" y="872" width="96" height="30" rx="15" fill="#f0a93a"/><circle cx="548" cy="888" r="22" fill="url(#lamp)"/>',
)}
<path d="M600 862H1000L976 952H624Z" fill="#0f1317"/>
${range(5, (n) => `<rect x="${612 + n * 3}" y="${876 + n * 15}" width="${376 - n * 6}" height="4" fill="#4d555b"/>`)}
<path d="M392 960C600 984 1000 984 1208 960L1200 992C1000 1010 600 1010 400 992Z" fill="#10151a"/>
<rect x="690" y="824" width="220" height="52" rx="6" fill="#f1f2ee" stroke="#33383c" stroke-width="4"/>
${range(6, (n) => `<rect x="${712 + n * 30 + (n > 2 ? 8 : 0)}" y="836" width="20" height="28" rx="4" fill="#2b3034"/>`)}
<circle cx="800" cy="738" r="20" fill="url(#chrome)"/><circle cx="800" cy="738" r="12" fill="#174f93"/>`;
