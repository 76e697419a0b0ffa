/** The sounds that the preview engine recognises in a prompt: each tag with its words in several languages. */

export type ScaleName = 'major' | 'minor' | 'dorian' | 'lydian' | 'mixolydian' | 'phrygian';
export type VoiceName =
  | 'pad'
  | 'strings'
  | 'piano'
  | 'keys'
  | 'pluck'
  | 'bell'
  | 'flute'
  | 'reed'
  | 'brass'
  | 'organ'
  | 'saw'
  | 'square'
  | 'bass'
  | 'pulse';
export type BeatName = 'none' | 'soft' | 'lofi' | 'swing' | 'four' | 'rock' | 'march' | 'chip';
export type TextureName =
  'rain' | 'waves' | 'wind' | 'crickets' | 'birds' | 'thunder' | 'fire' | 'stream' | 'city' | 'vinyl' | 'drone';
export type PulseName = 'clock' | 'footsteps' | 'heartbeat' | 'explosion' | 'bells';

export interface Mood {
  words: string;
  /** Whether the mood is a genre: it keeps its instruments when a feeling is named too, which sets scale and tempo. */
  genre?: boolean;
  scale: ScaleName;
  /** Range of the tempo, in beats per minute. */
  tempo: [number, number];
  pad: VoiceName;
  chords: VoiceName;
  lead: VoiceName;
  bass: VoiceName;
  beat: BeatName;
  texture?: TextureName;
  /** Whether chords are seventh chords, of four notes. */
  sevenths?: boolean;
  /** Transposition of all parts, in octaves. */
  octave?: number;
}

export const MOODS = {
  calm: {
    words:
      'calm peaceful relaxing relax gentle meditation soft quiet serene spa zen ruhig sanft calme doux tranquilo sereno спокойный 静か 平静 安静 평화로운 هادئ',
    scale: 'lydian',
    tempo: [58, 70],
    pad: 'pad',
    chords: 'keys',
    lead: 'flute',
    bass: 'bass',
    beat: 'none',
  },
  ambient: {
    words:
      'ambient atmospheric drone dreamy ethereal space cosmic floating underwater sphärisch onírico 宇宙 梦幻 몽환',
    scale: 'lydian',
    tempo: [48, 58],
    pad: 'pad',
    chords: 'pad',
    lead: 'bell',
    bass: 'bass',
    beat: 'none',
    texture: 'drone',
  },
  epic: {
    words:
      'epic cinematic heroic battle orchestra orchestral trailer victory dramatic majestic war episch heldenhaft épique épico héroïque эпический 史诗 壮大 웅장한 ملحمي',
    scale: 'minor',
    tempo: [84, 98],
    pad: 'strings',
    chords: 'strings',
    lead: 'brass',
    bass: 'bass',
    beat: 'march',
  },
  jazz: {
    words: 'jazz jazzy swing blues bossa saxophone sax lounge bar noir джаз ジャズ 爵士 재즈 جاز',
    genre: true,
    scale: 'dorian',
    tempo: [96, 118],
    pad: 'keys',
    chords: 'keys',
    lead: 'reed',
    bass: 'bass',
    beat: 'swing',
    sevenths: true,
  },
  lofi: {
    words: 'lofi lo-fi chill chillhop study hiphop hip-hop downtempo mellow cozy ローファイ 로파이',
    genre: true,
    scale: 'dorian',
    tempo: [70, 82],
    pad: 'pad',
    chords: 'keys',
    lead: 'pluck',
    bass: 'bass',
    beat: 'lofi',
    texture: 'vinyl',
    sevenths: true,
  },
  electronic: {
    words:
      'electronic techno house edm dance club synthwave synth trance cyberpunk neon elektronisch électronique electrónica электронная 電子 电子 일렉트로닉',
    genre: true,
    scale: 'minor',
    tempo: [116, 126],
    pad: 'saw',
    chords: 'saw',
    lead: 'square',
    bass: 'pulse',
    beat: 'four',
  },
  chiptune: {
    words: '8-bit 8bit chiptune retro arcade videogame game pixel nintendo ピコピコ 游戏 게임',
    genre: true,
    scale: 'major',
    tempo: [132, 150],
    pad: 'square',
    chords: 'pulse',
    lead: 'square',
    bass: 'pulse',
    beat: 'chip',
  },
  horror: {
    words:
      'horror scary creepy dark haunted ghost terror suspense eerie nightmare grusel unheimlich horreur terreur miedo terror ужас страшный 恐怖 怖い 무서운 공포 رعب',
    scale: 'phrygian',
    tempo: [44, 54],
    pad: 'strings',
    chords: 'pad',
    lead: 'bell',
    bass: 'bass',
    beat: 'none',
    texture: 'wind',
    octave: -1,
  },
  folk: {
    words:
      'folk acoustic country guitar campfire celtic medieval banjo ukulele gitarre guitare guitarra гитара ギター 吉他 기타',
    genre: true,
    scale: 'mixolydian',
    tempo: [94, 110],
    pad: 'strings',
    chords: 'pluck',
    lead: 'flute',
    bass: 'bass',
    beat: 'soft',
  },
  classical: {
    words:
      'classical baroque waltz symphony violin cello quartet sonata klassisch geige classique violon clásica violín классика скрипка クラシック 古典 클래식',
    genre: true,
    scale: 'major',
    tempo: [76, 92],
    pad: 'strings',
    chords: 'piano',
    lead: 'strings',
    bass: 'bass',
    beat: 'none',
  },
  rock: {
    words: 'rock metal punk grunge electricguitar band рок ロック 摇滚 록',
    genre: true,
    scale: 'mixolydian',
    tempo: [116, 132],
    pad: 'organ',
    chords: 'saw',
    lead: 'saw',
    bass: 'pulse',
    beat: 'rock',
  },
  happy: {
    words:
      'happy cheerful upbeat joyful fun playful sunny uplifting pop party birthday fröhlich joyeux alegre feliz весёлый 楽しい 快乐 즐거운 سعيد',
    scale: 'major',
    tempo: [106, 120],
    pad: 'pad',
    chords: 'pluck',
    lead: 'bell',
    bass: 'bass',
    beat: 'rock',
  },
  sad: {
    words:
      'sad melancholy melancholic emotional lonely tears nostalgic sorrow farewell traurig triste mélancolie грустный 悲しい 悲伤 슬픈 حزين',
    scale: 'minor',
    tempo: [58, 70],
    pad: 'strings',
    chords: 'piano',
    lead: 'strings',
    bass: 'bass',
    beat: 'none',
  },
  lullaby: {
    words: 'lullaby baby bedtime musicbox music-box sleep wiegenlied berceuse nana колыбельная 子守唄 摇篮曲 자장가',
    scale: 'major',
    tempo: [62, 72],
    pad: 'pad',
    chords: 'bell',
    lead: 'bell',
    bass: 'bass',
    beat: 'none',
    octave: 1,
  },
} as const satisfies Record<string, Mood>;

export type MoodName = keyof typeof MOODS;

/** Instruments by name, and the part that each one plays: chords or lead. */
export const INSTRUMENTS: Record<string, { words: string; voice: VoiceName; part: 'chords' | 'lead' }> = {
  piano: { words: 'piano klavier фортепиано пианино ピアノ 钢琴 피아노 بيانو', voice: 'piano', part: 'chords' },
  organ: { words: 'organ church orgel orgue órgano орган', voice: 'organ', part: 'chords' },
  harp: { words: 'harp harfe harpe arpa арфа', voice: 'pluck', part: 'chords' },
  guitar: { words: 'guitar ukulele banjo gitarre guitare guitarra гитара ギター 吉他', voice: 'pluck', part: 'chords' },
  strings: { words: 'strings violin viola cello violins geige violon скрипка', voice: 'strings', part: 'lead' },
  flute: { words: 'flute whistle flöte flûte flauta флейта フルート 笛', voice: 'flute', part: 'lead' },
  bell: { words: 'bell bells chime chimes glockenspiel xylophone marimba', voice: 'bell', part: 'lead' },
  brass: { words: 'trumpet horn horns brass trombone trompete trompette trompeta труба', voice: 'brass', part: 'lead' },
  sax: { words: 'saxophone sax clarinet oboe saxophon саксофон', voice: 'reed', part: 'lead' },
  synth: { words: 'synth synthesizer arpeggio', voice: 'saw', part: 'lead' },
};

export const BEATS: Record<string, { words: string; beat: BeatName }> = {
  drums: {
    words:
      'drum drums percussion beat beats rhythm rhythmic groove schlagzeug batterie batería барабаны ドラム 鼓 드럼',
    beat: 'rock',
  },
};

export const TEXTURES: Record<TextureName, string> = {
  rain: 'rain rainy raining drizzle downpour regen pluie lluvia chuva дождь 雨 비 مطر',
  waves:
    'ocean sea wave waves beach shore surf coast seaside meer wellen strand mer vagues plage mar olas playa praia море волны пляж 海 波 바다 파도 بحر',
  wind: 'wind windy breeze storm blizzard desert mountain mountains snow tempest sturm vent viento vento ветер буря 風 风 바람 ريح',
  crickets:
    'cricket crickets night summernight cicada cicadas grillen nacht grillons grillos noche сверчки ночь 虫 夜 밤 ليل',
  birds:
    'bird birds birdsong forest garden spring morning dawn meadow jungle park vogel vögel wald oiseaux forêt pájaros bosque птицы лес 鳥 鸟 森 숲 새 طيور',
  thunder: 'thunder thunderstorm lightning storm donner gewitter tonnerre orage trueno tormenta гром гроза 雷 천둥 رعد',
  fire: 'fire fireplace campfire flames bonfire burning feuer kamin feu fuego огонь костёр 火 焚き火 불 نار',
  stream:
    'stream river brook creek waterfall fountain water bach fluss wasserfall rivière ruisseau río cascada река ручей водопад 川 滝 河 폭포 نهر',
  city: 'city traffic street urban crowd market cafe station airport engine car cars train motor stadt straße ville rue ciudad calle город улица 都市 城市 街 도시 مدينة',
  vinyl: 'vinyl record crackle gramophone schallplatte',
  drone: 'drone hum spaceship space galaxy machine reactor deep void cave',
};

export const PULSES: Record<PulseName, string> = {
  clock: 'clock ticking tick timer countdown uhr horloge reloj часы 時計 时钟 시계',
  footsteps: 'footsteps footstep walking steps marching schritte pas pasos шаги 足音 脚步',
  heartbeat: 'heartbeat heart pulse herzschlag coeur latido сердце 心臓 心跳 심장',
  explosion: 'explosion explode blast boom cannon gunshot firework fireworks bomb knall explosión взрыв 爆発 爆炸 폭발',
  bells: 'church churchbell bell bells gong temple glocke cloche campana колокол 鐘 钟声 종',
};

/** Words that ask for music, even along with sounds of nature. */
export const MUSIC =
  'music song melody tune soundtrack theme track instrumental composition anthem ballad loop bgm jingle musik lied musique chanson música canción musica музыка песня 音楽 音乐 曲 음악 موسيقى';

/** Words that ask for speech. */
export const SPEECH =
  'say says saying said speak speaks speaking speech voice voiceover voice-over narrator narrates narration narrate announcer whisper whispers reads reading talk talks talking dialogue podcast host tells asks shouts spoken monologue sprich sagt stimme sprecher dit voix dice voz говорит голос 话す 声 说 말하 목소리 صوت';

export const SPEAKERS = {
  low: 'man male deep old grandfather father king narrator monster giant mann homme hombre мужчина 男',
  high: 'woman female girl lady mother queen frau femme mujer женщина 女',
  child: 'child kid boy baby little elf fairy kind enfant niño ребёнок 子供 孩子',
  whisper: 'whisper whispers whispering asmr flüstert chuchote susurro шёпот',
} as const;
