/** The pictures of the sample clip, drawn by hand as SVG. */

function picture(sky: [string, string], content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" viewBox="0 0 1920 1080">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/>
      </linearGradient>
      <linearGradient id="water" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="${sky[1]}"/><stop offset="1" stop-color="${sky[0]}"/>
      </linearGradient>
      <radialGradient id="glow"><stop offset="0" stop-color="#ffe9b8" stop-opacity="0.9"/>
        <stop offset="1" stop-color="#ffe9b8" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="1920" height="1080" fill="url(#sky)"/>${content}</svg>`
}

const ripples = (colour: string): string =>
  [720, 770, 830, 900, 985]
    .map(
      (y, index) =>
        `<rect x="${620 - index * 70}" y="${y}" width="${420 + index * 90}" height="5" rx="2" fill="${colour}" opacity="0.45"/>`,
    )
    .join('')

const reeds = (count: number, colour: string): string =>
  Array.from({ length: count }, (_, index) => {
    const x = 60 + index * (1800 / count) + ((index * 37) % 40)
    const top = 560 + ((index * 83) % 220)
    return `<path d="M${x} 1080 Q${x + 14} ${(top + 1080) / 2} ${x + 4} ${top}" stroke="${colour}" stroke-width="5" fill="none"/>`
  }).join('')

const person = (x: number, scale: number, colour: string): string =>
  `<g transform="translate(${x} 1080) scale(${scale})" fill="${colour}">
    <path d="M-300 0 C-290 -240 -170 -300 -70 -330 L-60 -400 C-130 -450 -140 -620 0 -640 C140 -620 130 -450 60 -400 L70 -330 C170 -300 290 -240 300 0 Z"/>
  </g>`

const boat = (x: number, y: number, scale: number): string =>
  `<g transform="translate(${x} ${y}) scale(${scale})">
    <path d="M-150 0 L150 0 L105 55 L-110 55 Z" fill="#8e2f24"/>
    <path d="M-6 -6 L-6 -220 L110 -20 Z" fill="#f2e6d0"/><path d="M-18 -6 L-18 -190 L-100 -20 Z" fill="#d9c6a4"/>
    <rect x="-14" y="-230" width="7" height="232" fill="#3a2a22"/>
    <path d="M-150 62 L150 62 L80 110 L-90 110 Z" fill="#8e2f24" opacity="0.25"/>
  </g>`

export const samplePictures = {
  dawn: picture(
    ['#16263f', '#e0995a'],
    `<circle cx="1240" cy="600" r="420" fill="url(#glow)"/><circle cx="1240" cy="600" r="80" fill="#ffe2a0"/>
     <path d="M0 640 L300 420 L520 560 L860 330 L1180 600 L1480 450 L1920 640 L1920 690 L0 690 Z" fill="#38344a"/>
     <rect y="680" width="1920" height="400" fill="url(#water)" opacity="0.9"/>${ripples('#ffe2a0')}
     <path d="M0 1080 L0 920 C260 860 420 960 700 1080 Z" fill="#141821"/>`,
  ),
  interview: picture(
    ['#2a2119', '#5a4630'],
    `<rect x="240" y="140" width="520" height="640" fill="#f3dfae"/>
     <path d="M500 140 V780 M240 460 H760" stroke="#4a3826" stroke-width="18"/>
     <circle cx="520" cy="440" r="620" fill="url(#glow)" opacity="0.5"/>${person(1180, 1.25, '#17120d')}
     <rect x="1540" y="520" width="240" height="560" fill="#211a13"/>`,
  ),
  fog: picture(
    ['#8fa3ad', '#cfd6d4'],
    `<path d="M0 560 L420 430 L900 540 L1380 410 L1920 560 L1920 640 L0 640 Z" fill="#8a9aa0" opacity="0.6"/>
     <rect y="600" width="1920" height="480" fill="#b4c0c0"/>
     <ellipse cx="700" cy="640" rx="900" ry="90" fill="#e6ebe8" opacity="0.8"/>
     <ellipse cx="1500" cy="760" rx="800" ry="80" fill="#e6ebe8" opacity="0.7"/>${reeds(26, '#3d4a4a')}`,
  ),
  boat: picture(
    ['#3d6f8e', '#dfe8e2'],
    `<path d="M0 520 L500 470 L1100 515 L1920 460 L1920 580 L0 580 Z" fill="#5f7f7a"/>
     <rect y="560" width="1920" height="520" fill="#4f8298"/>${ripples('#cfe4ea')}${boat(980, 690, 1.7)}`,
  ),
  portrait: picture(
    ['#1d2b2c', '#41605b'],
    `<circle cx="420" cy="360" r="520" fill="url(#glow)" opacity="0.55"/>
     <circle cx="300" cy="300" r="90" fill="#f6d58c" opacity="0.35"/><circle cx="560" cy="200" r="60" fill="#f6d58c" opacity="0.25"/>
     ${person(1060, 1.75, '#101716')}<path d="M820 300 C860 180 1010 120 1130 170" stroke="#f6d58c" stroke-width="10" fill="none" opacity="0.6"/>`,
  ),
  dusk: picture(
    ['#2b1a3a', '#f0744e'],
    `<circle cx="620" cy="640" r="460" fill="url(#glow)"/><circle cx="620" cy="640" r="110" fill="#ffd27a"/>
     <path d="M0 660 L340 520 L760 640 L1260 480 L1920 650 L1920 700 L0 700 Z" fill="#3b2340"/>
     <rect y="690" width="1920" height="390" fill="url(#water)"/>${ripples('#ffd27a')}${boat(1330, 760, 0.8)}${reeds(9, '#1a0f20')}`,
  ),
}
