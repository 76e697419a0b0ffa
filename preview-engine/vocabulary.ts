/**
 * The content that the preview engine recognises: each tag with its words in several languages. Words in alphabets
 * match whole, with common endings or at the end of a compound; words in Chinese, Japanese, Korean, Thai and Arabic
 * script match anywhere in the prompt.
 */
export const SUBJECTS = {
  lighthouse: 'lighthouse leuchtturm phare faro farol vuurtoren маяк 灯台 灯塔 燈塔 등대 منارة',
  sailboat:
    'sailboat boat sailing yacht regatta segelboot boot boote voilier bateau barca velero barco veleiro лодка парусник ヨット 舟 帆船 小船 보트 돛단배 قارب',
  ship: 'ship galleon frigate vessel pirate schiff navire nave buque navio корабль 船 배',
  house:
    'house home cottage cabin hut farm barn haus hütte maison chalet casa cabaña cabana дом 家 小屋 房子 屋 집 오두막 بيت',
  castle: 'castle fortress palace tower burg schloss château castello castillo castelo замок 城 城堡 성 قلعة',
  temple: 'temple pagoda shrine torii tempel templo tempio храм 寺 神社 鳥居 塔 寺庙 절 신사',
  tree: 'tree oak willow bonsai maple blossom sakura cherryblossom baum bäume arbre árbol arvore árvore albero дерево 木 桜 树 櫻 나무 벚꽃 شجرة',
  palm: 'palm palmtree tropical oasis palme palmier palmera palmeira пальма ヤシ 椰子 야자수',
  flower:
    'flower rose tulip lotus lily sunflower poppy daisy bouquet orchid blume blumen fleur flor fiore цветок цветы роза 花 蓮 薔薇 玫瑰 꽃 장미 وردة',
  fruit:
    'fruit mango apple orange lemon pear peach banana grape grapes berry cherry plum kiwi guava melon obst apfel zitrone pomme pêche fruta manzana limón limone mela frutta фрукты яблоко лимон 果物 リンゴ 水果 苹果 芒果 과일 사과 فاكهة',
  bowl: 'bowl basket plate dish schale schüssel bol coupe cuenco tazón tigela ciotola чаша 碗 鉢 그릇',
  cup: 'cup mug coffee tea espresso latte teacup tasse kaffee tee café taza té tazza caffè чашка кофе чай コーヒー お茶 茶 咖啡 커피 찻잔 قهوة',
  vase: 'vase pot jar pitcher krug jarrón florero vaso ваза 花瓶 꽃병',
  bottle:
    'bottle wine potion perfume flask flasche wein bouteille vin botella vino garrafa vinho бутылка вино ワイン 瓶 병 와인',
  candle: 'candle lantern lamp kerze laterne bougie lanterne vela candela свеча фонарь 蝋燭 提灯 灯笼 촛불 등불',
  person:
    'person figure traveler traveller wanderer hiker monk samurai knight astronaut warrior dancer child boy kid wizard hero mensch wanderer kind ritter personne enfant chevalier persona niño caballero criança bambino человек рыцарь ребенок 人 旅人 侍 武士 사람 아이 رجل',
  woman:
    'woman girl lady queen princess model bride mother sister actress she frau mädchen dame königin femme fille reine mujer chica reina mulher garota donna ragazza женщина девушка королева 女性 少女 女 女孩 여자 소녀 여인 امرأة',
  man: 'man guy gentleman king prince father grandfather brother beard actor he mann herr könig homme roi hombre rey homem uomo мужчина король 男性 男 男人 남자 رجل',
  cat: 'cat kitten kitty lynx katze kater chat chaton gato gatto кошка кот котенок 猫 ネコ ねこ 貓 고양이 قطة',
  dog: 'dog puppy hound retriever hund hunde welpe chien chiot perro cachorro cão cane собака щенок 犬 いぬ 狗 개 강아지 كلب',
  fox: 'fox foxes fuchs renard zorro raposa volpe лиса 狐 狐狸 여우',
  wolf: 'wolf wolves coyote loup lobo lupo волк 狼 늑대 ذئب',
  deer: 'deer stag elk reindeer moose hirsch reh cerf ciervo cervo veado олень 鹿 사슴 غزال',
  horse: 'horse pony stallion unicorn pferd cheval caballo cavalo cavallo лошадь конь 馬 马 말 حصان',
  camel:
    'camel caravan dromedary kamel karawane chameau caravane camello caravana cammello верблюд караван ラクダ 骆驼 駱駝 낙타 جمل',
  bird: 'bird birds crane heron eagle raven crow owl seagull swallow dove phoenix vogel vögel oiseau pájaro ave pássaro uccello птица птицы ворон 鳥 とり 鸟 새 طائر',
  fish: 'fish fishes shark dolphin fisch poisson pez peces peixe pesce рыба 魚 鱼 물고기 سمكة',
  koi: 'koi carp goldfish karpfen carpe carpa карп 鯉 錦鯉 锦鲤 잉어',
  whale: 'whale orca wal wale baleine ballena baleia balena кит 鯨 クジラ 鲸 고래 حوت',
  jellyfish: 'jellyfish qualle méduse medusa água-viva медуза クラゲ 水母 해파리',
  butterfly: 'butterfly butterflies moth schmetterling papillon mariposa borboleta farfalla бабочка 蝶 蝴蝶 나비 فراشة',
  dragon: 'dragon drache drago dragón dragão дракон 竜 龍 龙 용 تنين',
  robot: 'robot android cyborg mech roboter robô робот ロボット 机器人 로봇 روبوت',
  spaceship:
    'spaceship starship spacecraft ufo shuttle raumschiff vaisseau nave-espacial astronave nave espaçonave звездолет 宇宙船 飞船 우주선',
  rocket: 'rocket launch missile rakete fusée cohete foguete razzo ракета ロケット 火箭 로켓 صاروخ',
  planet: 'planet saturn jupiter mars earth exoplanet planète planeta pianeta планета 惑星 行星 행성 كوكب',
  balloon:
    'balloon balloons airship zeppelin ballon heißluftballon montgolfière globo balão mongolfiera шар 気球 风船 热气球 풍선 بالون',
  car: 'car truck cars automobile convertible taxi auto wagen voiture coche carro macchina машина автомобиль 車 车 汽车 자동차 سيارة',
  train: 'train locomotive railway tram zug eisenbahn tren trem treno поезд 電車 列車 火车 기차 قطار',
  bridge: 'bridge aqueduct brücke pont puente ponte мост 橋 桥 다리 جسر',
  windmill: 'windmill mill turbine windmühle mühle moulin molino moinho mulino мельница 風車 风车 풍차',
  mushroom: 'mushroom mushrooms fungi pilz pilze champignon seta hongo cogumelo fungo гриб грибы キノコ 蘑菇 버섯',
} as const;

export const SETTINGS = {
  sea: 'sea ocean coast beach shore seaside harbor harbour bay island waves wave surf cliff meer ozean küste strand insel welle mer océan côte plage île mar océano costa playa isla praia ilha oceano spiaggia море океан берег остров волна 海 浜 島 波 海边 大海 바다 해변 섬 بحر',
  lake: 'lake river pond stream waterfall lagoon reflection fjord see fluss teich lac rivière étang lago río estanque rio lagoa fiume stagno озеро река пруд 湖 川 池 河 호수 강 بحيرة نهر',
  mountains:
    'mountain mountains peak peaks alps summit alpine himalaya volcano canyon valley berg berge alpen gipfel tal vulkan montagne montagnes sommet volcan montaña montañas montanha montanhas montagna горы гора вулкан долина 山 富士山 火山 谷 산 화산 جبل جبال',
  hills:
    'hill hills meadow field fields countryside pasture vineyard grass village farm landscape hügel wiese feld felder landschaft dorf colline colinas colina prairie champ paysage campo prado paisaje paisagem prato paesaggio холм поле луг пейзаж деревня 丘 野原 草原 田 村 风景 風景 언덕 들판 풍경 حقل',
  forest:
    'forest woods woodland jungle grove rainforest pine pines wald dschungel forêt bois bosque selva floresta foresta лес джунгли 森 林 ジャングル 森林 숲 정글 غابة',
  desert:
    'desert dune dunes sahara sand oasis wüste düne désert désert desierto dunas deserto дюны пустыня 砂漠 沙漠 사막 صحراء',
  city: 'city street town skyline downtown urban metropolis skyscraper tokyo york london paris building buildings alley cyberpunk stadt straße hochhaus ville rue gratte-ciel ciudad calle cidade rua città strada город улица 街 都市 東京 城市 街道 도시 거리 مدينة شارع',
  space:
    'space galaxy nebula cosmos universe cosmic orbit asteroid weltraum galaxie nebel-im-all espace cosmos espacio galaxia espaço galáxia spazio galassia космос галактика вселенная 宇宙 銀河 太空 星系 우주 은하 فضاء مجرة',
  underwater:
    'underwater reef coral aquarium seabed deepsea undersea unterwasser riff sous-marin récif submarino arrecife subacqueo подводный риф 海底 水中 珊瑚 水下 해저 산호',
  stilllife:
    'still-life stilllife still table kitchen stillleben nature-morte bodegón bodegon natureza-morta натюрморт 静物 靜物 정물',
  portrait:
    'portrait face headshot selfie closeup close-up bust hair eyes smile porträt gesicht visage retrato rostro ritratto viso портрет лицо 肖像 顔 ポートレート 脸 人像 초상 얼굴 صورة',
  abstract:
    'abstract flow fluid pattern texture geometric fractal swirl marble liquid waveform gradient dream abstrakt abstrait abstracto abstrato astratto абстракция абстрактный 抽象 추상 تجريدي',
} as const;

export const TIMES = {
  dawn: 'dawn sunrise daybreak morning morgen morgendämmerung sonnenaufgang aube aurore matin amanecer alba madrugada amanhecer mattino рассвет утро 夜明け 朝 黎明 早晨 日出 새벽 아침 일출 فجر شروق',
  day: 'day noon midday daylight sunny sunshine tag mittag sonnig jour midi día mediodía dia giorno mezzogiorno день солнечный 昼 白天 晴 낮 맑은 نهار',
  golden: 'golden-hour golden afternoon goldene doré dorada dorado dourada dorata золотой 黄金 夕方 金色 황금 ذهبي',
  sunset:
    'sunset evening sundown abend sonnenuntergang coucher soir atardecer ocaso pôr-do-sol entardecer tramonto sera закат вечер 夕日 夕焼け 日落 夕阳 黄昏 노을 석양 저녁 غروب',
  dusk: 'dusk twilight gloaming bluehour blue-hour dämmerung crépuscule crepúsculo anochecer crepuscolo сумерки 夕暮れ 薄暮 황혼 شفق',
  night:
    'night midnight nocturne nocturnal moonlit dark nacht mitternacht nuit minuit noche medianoche noite notte ночь полночь 夜 夜空 深夜 밤 한밤 ليل',
} as const;

export const WEATHERS = {
  fog: 'fog foggy mist misty haze hazy nebel neblig brume brouillard niebla neblina névoa nebbia туман 霧 雾 霞 안개 ضباب',
  rain: 'rain rainy drizzle raining wet regen regnerisch pluie lluvia chuva pioggia дождь 雨 비 مطر',
  snow: 'snow snowy snowfall winter blizzard ice icy frozen arctic schnee winter eis neige hiver glace nieve invierno hielo neve inverno gelo ghiaccio снег зима лед 雪 冬 氷 冰 눈 겨울 ثلج شتاء',
  storm:
    'storm stormy thunder lightning tempest hurricane dramatic sturm gewitter blitz orage tempête tormenta tempestade temporale гроза буря шторм 嵐 雷 暴风雨 폭풍 번개 عاصفة',
  clouds:
    'cloud clouds cloudy overcast wolke wolken nuage nuages nube nubes nuvem nuvens nuvola nuvole облака облако 雲 云 구름 غيوم',
  clear: 'clear cloudless klar clair despejado limpo sereno ясный 晴れ 晴朗',
  aurora:
    'aurora borealis northern-lights polarlicht polarlichter boréale boreal сияние オーロラ 极光 極光 오로라 شفق-قطبي',
  stars:
    'stars star starry milky stardust starlight sterne stern sternenhimmel étoile étoiles estrella estrellas estrela estrelas stella stelle звезды звезда 星 星空 별 نجوم',
  moon: 'moon lunar moonlight moonlit crescent mond mondlicht lune luna lua луна 月 月亮 달 قمر',
  sun: 'sun solar sonne soleil sol sole солнце 太陽 太阳 해돋이 태양 شمس',
  rainbow: 'rainbow regenbogen arc-en-ciel arcoíris arcobaleno радуга 虹 彩虹 무지개',
  fireflies:
    'firefly fireflies glowworm magic magical enchanted fairy sparkle glühwürmchen zauber lucioles magique luciérnagas mágico vaga-lumes lucciole magico светлячки волшебный 蛍 魔法 萤火虫 반딧불 마법',
  petals:
    'petal petals blossom blossoms spring sakura blüte frühling pétale printemps pétalo primavera pétala весна лепестки 桜 花びら 春 樱花 벚꽃 봄 ربيع',
  leaves:
    'leaf leaves autumn fall foliage october herbst laub automne feuilles otoño hojas outono folhas autunno foglie осень листья 秋 紅葉 落ち葉 秋天 가을 단풍 خريف',
  embers:
    'ember embers fire flame burning lava volcano feuer flamme feu fuego llama fogo fuoco огонь пламя 火 炎 불 نار',
} as const;

export const STYLES = {
  watercolour: 'watercolour watercolor aquarell aquarelle acuarela aquarela acquerello акварель 水彩 수채화',
  oil: 'oil impasto painterly painting impressionist impressionism gouache monet ölgemälde gemälde peinture huile pintura óleo dipinto olio живопись масло 油絵 油画 유화',
  ink: 'ink sumi sumi-e calligraphy woodcut etching sketch pencil charcoal tusche tinte skizze encre croquis tinta boceto esboço inchiostro schizzo тушь эскиз 水墨 墨絵 墨 素描 수묵 스케치',
  pixel: 'pixel pixelart 8-bit 16-bit retro-game voxel píxel пиксель ドット絵 像素 픽셀',
  minimal:
    'minimal minimalist minimalism simple flat minimalistisch minimaliste minimalista minimale минимализм ミニマル 极简 미니멀',
  noir: 'noir monochrome black-and-white greyscale grayscale b&w schwarzweiß schwarzweiss noir-et-blanc monochromatic нуар モノクロ 白黒 黑白 흑백',
  photo:
    'photo photograph photography photorealistic cinematic film analog 35mm kodak bokeh foto fotografie photographie fotografía fotografia фото 写真 摄影 电影 사진 영화',
  pastel:
    'pastel soft dreamy gentle delicate kawaii zart doux suave delicato нежный пастель パステル 柔らか 粉彩 파스텔',
  neon: 'neon cyberpunk synthwave vaporwave glowing hologram futuristic néon neón неон ネオン 霓虹 赛博朋克 네온',
  vintage: 'vintage retro antique sepia old nostalgic alt antik ancien antiguo antigo antico винтаж レトロ 复古 빈티지',
} as const;

/** Colour words, by the colour that they tint an image with. */
export const COLOURS: Readonly<Record<string, string>> = {
  '#d62f2b':
    'red crimson scarlet ruby vermilion rot rote roten roter rotes rouge rojo roja vermelho vermelha rosso rossa красный красная 赤 红 紅 빨간 빨강 أحمر',
  '#f07f1f': 'orange amber copper tangerine orangefarben naranja laranja arancione оранжевый オレンジ 橙 주황 برتقالي',
  '#f2c230':
    'yellow saffron ochre gelb gelbe gelben gelber jaune amarillo amarilla amarelo giallo желтый 黄色 黄 노란 노랑 أصفر',
  '#d9a441': 'gold gilded honey gülden or oro ouro золото 金 황금 금 ذهب',
  '#3fa34d': 'green emerald jade moss grün grüne grünen grüner vert verte verde зеленый 緑 绿 綠 초록 녹색 أخضر',
  '#1fa8a0': 'teal turquoise cyan aqua türkis sarcelle turquesa turchese бирюзовый 青緑 青色 청록 فيروزي',
  '#2a6fd6':
    'blue azure cobalt navy sapphire indigo ultramarine blau blaue blauen blauer bleu bleue azul blu azzurro синий голубой 青 蓝 藍 파란 파랑 أزرق',
  '#7d45c9':
    'purple violet lavender lilac amethyst magenta lila violett pourpre violeta morado roxo viola фиолетовый 紫 보라 بنفسجي',
  '#e86a9c': 'pink rosy fuchsia coral rosa rosado розовый ピンク 粉色 粉红 분홍 وردي',
  '#7a4b2c': 'brown chestnut sepia bronze rust braun marron brun marrón castanho marrone коричневый 茶色 棕 갈색 بني',
  '#eef0f2':
    'white ivory pearl silver weiß weiss blanc blanche blanco blanca branco branca bianco белый 白 银 흰 하얀 أبيض',
  '#17181c': 'black ebony obsidian schwarz noire negro negra preto preta nero черный 黒 黑 검은 검정 أسود',
  '#8a8f98': 'grey gray ash slate grau graue grauen grauer gris cinza grigio серый 灰 회색 رمادي',
};
