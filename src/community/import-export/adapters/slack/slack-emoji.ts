import { findEmoji } from "../emoji-names.ts";

/**
 * Emoji names that only Slack has or uses differently. Source: emoji-datasource 16.0.0 (MIT), which Slack
 * itself uses.
 */
const NAMES = `
keycap_star *️⃣, mostly_sunny 🌤️, sun_small_cloud 🌤️, barely_sunny 🌥️, sun_behind_cloud 🌥️,
partly_sunny_rain 🌦️, rain_cloud 🌧️, snow_cloud 🌨️, lightning 🌩️, lightning_cloud 🌩️,
tornado_cloud 🌪️, wind_blowing_face 🌬️, brown_mushroom 🍄‍🟫, lime 🍋‍🟩, cooking 🍳,
knife_fork_plate 🍽️, medal 🎖️, film_frames 🎞️, admission_tickets 🎟️, woman-running 🏃‍♀️,
woman_running_facing_right 🏃‍♀️‍➡️, man-running 🏃‍♂️, man_running_facing_right 🏃‍♂️‍➡️,
person_running_facing_right 🏃‍➡️, woman-surfing 🏄‍♀️, man-surfing 🏄‍♂️, sports_medal 🏅,
woman-swimming 🏊‍♀️, man-swimming 🏊‍♂️, woman-lifting-weights 🏋️‍♀️,
man-lifting-weights 🏋️‍♂️, weight_lifter 🏋️, woman-golfing 🏌️‍♀️, man-golfing 🏌️‍♂️,
golfer 🏌️, racing_motorcycle 🏍️, cricket_bat_and_ball 🏏, field_hockey_stick_and_ball 🏑,
ice_hockey_stick_and_puck 🏒, table_tennis_paddle_and_ball 🏓, snow_capped_mountain 🏔️,
beach_with_umbrella 🏖️, house_buildings 🏘️, derelict_house_building 🏚️, rainbow-flag 🏳️‍🌈,
waving_white_flag 🏳️, waving_black_flag 🏴, badminton_racquet_and_shuttlecock 🏸, ladybug 🐞,
phoenix 🐦‍🔥, eye-in-speech-bubble 👁️‍🗨️, male-farmer 👨‍🌾, male-cook 👨‍🍳,
male-student 👨‍🎓, male-singer 👨‍🎤, male-artist 👨‍🎨, male-teacher 👨‍🏫,
male-factory-worker 👨‍🏭, man-boy-boy 👨‍👦‍👦, man-boy 👨‍👦, man-girl-boy 👨‍👧‍👦,
man-girl-girl 👨‍👧‍👧, man-girl 👨‍👧, man-man-boy 👨‍👨‍👦, man-man-boy-boy 👨‍👨‍👦‍👦,
man-man-girl 👨‍👨‍👧, man-man-girl-boy 👨‍👨‍👧‍👦, man-man-girl-girl 👨‍👨‍👧‍👧,
man-woman-boy 👨‍👩‍👦, man-woman-boy-boy 👨‍👩‍👦‍👦, man-woman-girl 👨‍👩‍👧,
man-woman-girl-boy 👨‍👩‍👧‍👦, man-woman-girl-girl 👨‍👩‍👧‍👧, male-technologist 👨‍💻,
male-office-worker 👨‍💼, male-mechanic 👨‍🔧, male-scientist 👨‍🔬, male-astronaut 👨‍🚀,
male-firefighter 👨‍🚒, man_with_white_cane_facing_right 👨‍🦯‍➡️,
man_in_motorized_wheelchair_facing_right 👨‍🦼‍➡️,
man_in_manual_wheelchair_facing_right 👨‍🦽‍➡️, male-doctor 👨‍⚕️, male-judge 👨‍⚖️,
male-pilot 👨‍✈️, man-heart-man 👨‍❤️‍👨, man-kiss-man 👨‍❤️‍💋‍👨, female-farmer 👩‍🌾,
female-cook 👩‍🍳, female-student 👩‍🎓, female-singer 👩‍🎤, female-artist 👩‍🎨,
female-teacher 👩‍🏫, female-factory-worker 👩‍🏭, woman-boy-boy 👩‍👦‍👦, woman-boy 👩‍👦,
woman-girl-boy 👩‍👧‍👦, woman-girl-girl 👩‍👧‍👧, woman-girl 👩‍👧, woman-woman-boy 👩‍👩‍👦,
woman-woman-boy-boy 👩‍👩‍👦‍👦, woman-woman-girl 👩‍👩‍👧, woman-woman-girl-boy 👩‍👩‍👧‍👦,
woman-woman-girl-girl 👩‍👩‍👧‍👧, female-technologist 👩‍💻, female-office-worker 👩‍💼,
female-mechanic 👩‍🔧, female-scientist 👩‍🔬, female-astronaut 👩‍🚀, female-firefighter 👩‍🚒,
woman_with_white_cane_facing_right 👩‍🦯‍➡️, woman_in_motorized_wheelchair_facing_right 👩‍🦼‍➡️,
woman_in_manual_wheelchair_facing_right 👩‍🦽‍➡️, female-doctor 👩‍⚕️, female-judge 👩‍⚖️,
female-pilot 👩‍✈️, woman-heart-man 👩‍❤️‍👨, woman-heart-woman 👩‍❤️‍👩,
woman-kiss-man 👩‍❤️‍💋‍👨, woman-kiss-woman 👩‍❤️‍💋‍👩, man_and_woman_holding_hands 👫,
woman_and_man_holding_hands 👫, men_holding_hands 👬, women_holding_hands 👭,
female-police-officer 👮‍♀️, male-police-officer 👮‍♂️, women-with-bunny-ears-partying 👯‍♀️,
woman-with-bunny-ears-partying 👯‍♀️, men-with-bunny-ears-partying 👯‍♂️,
man-with-bunny-ears-partying 👯‍♂️, blond-haired-woman 👱‍♀️, blond-haired-man 👱‍♂️,
person_with_blond_hair 👱, woman-wearing-turban 👳‍♀️, man-wearing-turban 👳‍♂️,
female-construction-worker 👷‍♀️, male-construction-worker 👷‍♂️, woman-tipping-hand 💁‍♀️,
man-tipping-hand 💁‍♂️, female-guard 💂‍♀️, male-guard 💂‍♂️, woman-getting-massage 💆‍♀️,
man-getting-massage 💆‍♂️, woman-getting-haircut 💇‍♀️, man-getting-haircut 💇‍♂️,
satellite_antenna 📡, camera_with_flash 📸, om_symbol 🕉️, dove_of_peace 🕊️,
menorah_with_nine_branches 🕎, man_in_business_suit_levitating 🕴️, female-detective 🕵️‍♀️,
male-detective 🕵️‍♂️, sleuth_or_spy 🕵️, linked_paperclips 🖇️, lower_left_ballpoint_pen 🖊️,
lower_left_fountain_pen 🖋️, lower_left_paintbrush 🖌️, lower_left_crayon 🖍️,
reversed_hand_with_middle_finger_extended 🖕, spock-hand 🖖, three_button_mouse 🖱️,
frame_with_picture 🖼️, spiral_note_pad 🗒️, spiral_calendar_pad 🗓️, compression 🗜️,
rolled_up_newspaper 🗞️, dagger_knife 🗡️, speaking_head_in_silhouette 🗣️,
ballot_box_with_ballot 🗳️, head_shaking_horizontally 🙂‍↔️, head_shaking_vertically 🙂‍↕️,
face_with_rolling_eyes 🙄, woman-gesturing-no 🙅‍♀️, man-gesturing-no 🙅‍♂️,
woman-gesturing-ok 🙆‍♀️, man-gesturing-ok 🙆‍♂️, woman-bowing 🙇‍♀️, man-bowing 🙇‍♂️,
woman-raising-hand 🙋‍♀️, man-raising-hand 🙋‍♂️, woman-frowning 🙍‍♀️, man-frowning 🙍‍♂️,
person_frowning 🙍, woman-pouting 🙎‍♀️, man-pouting 🙎‍♂️, person_with_pouting_face 🙎,
woman-rowing-boat 🚣‍♀️, man-rowing-boat 🚣‍♂️, woman-biking 🚴‍♀️, man-biking 🚴‍♂️,
woman-mountain-biking 🚵‍♀️, man-mountain-biking 🚵‍♂️, woman-walking 🚶‍♀️,
woman_walking_facing_right 🚶‍♀️‍➡️, man-walking 🚶‍♂️, man_walking_facing_right 🚶‍♂️‍➡️,
person_walking_facing_right 🚶‍➡️, sleeping_accommodation 🛌, shopping_bags 🛍️,
octagonal_sign 🛑, shopping_trolley 🛒, airplane_departure 🛫, airplane_arriving 🛬, scooter 🛴,
large_orange_circle 🟠, large_yellow_circle 🟡, large_green_circle 🟢, large_purple_circle 🟣,
large_brown_circle 🟤, large_red_square 🟥, large_blue_square 🟦, large_orange_square 🟧,
large_yellow_square 🟨, large_green_square 🟩, large_purple_square 🟪, large_brown_square 🟫,
thinking_face 🤔, robot_face 🤖, hugging_face 🤗, the_horns 🤘, sign_of_the_horns 🤘,
left-facing_fist 🤛, right-facing_fist 🤜, hand_with_index_and_middle_fingers_crossed 🤞,
i_love_you_hand_sign 🤟, face_with_cowboy_hat 🤠, rolling_on_the_floor_laughing 🤣,
woman-facepalming 🤦‍♀️, man-facepalming 🤦‍♂️, face_palm 🤦, face_with_raised_eyebrow 🤨,
face_with_one_eyebrow_raised 🤨, star-struck 🤩, grinning_face_with_star_eyes 🤩,
grinning_face_with_one_large_and_one_small_eye 🤪, face_with_finger_covering_closed_lips 🤫,
face_with_symbols_on_mouth 🤬, serious_face_with_symbols_covering_mouth 🤬,
face_with_hand_over_mouth 🤭, smiling_face_with_smiling_eyes_and_hand_covering_mouth 🤭,
face_vomiting 🤮, face_with_open_mouth_vomiting 🤮, shocked_face_with_exploding_head 🤯,
breast-feeding 🤱, mother_christmas 🤶, woman-shrugging 🤷‍♀️, man-shrugging 🤷‍♂️,
woman-cartwheeling 🤸‍♀️, man-cartwheeling 🤸‍♂️, person_doing_cartwheel 🤸,
woman-juggling 🤹‍♀️, man-juggling 🤹‍♂️, juggling 🤹, fencer 🤺, woman-wrestling 🤼‍♀️,
man-wrestling 🤼‍♂️, wrestlers 🤼, woman-playing-water-polo 🤽‍♀️, man-playing-water-polo 🤽‍♂️,
woman-playing-handball 🤾‍♀️, man-playing-handball 🤾‍♂️, handball 🤾, drum_with_drumsticks 🥁,
first_place_medal 🥇, second_place_medal 🥈, third_place_medal 🥉, glass_of_milk 🥛,
kiwifruit 🥝, smiling_face_with_3_hearts 🥰, womans_flat_shoe 🥿, lion_face 🦁, unicorn_face 🦄,
giraffe_face 🦒, zebra_face 🦓, female_superhero 🦸‍♀️, male_superhero 🦸‍♂️,
female_supervillain 🦹‍♀️, male_supervillain 🦹‍♂️, cheese_wedge 🧀, mate_drink 🧉,
woman_standing 🧍‍♀️, man_standing 🧍‍♂️, woman_kneeling 🧎‍♀️,
woman_kneeling_facing_right 🧎‍♀️‍➡️, man_kneeling 🧎‍♂️, man_kneeling_facing_right 🧎‍♂️‍➡️,
person_kneeling_facing_right 🧎‍➡️, face_with_monocle 🧐,
person_with_white_cane_facing_right 🧑‍🦯‍➡️, red_haired_person 🧑‍🦰, curly_haired_person 🧑‍🦱,
bald_person 🧑‍🦲, white_haired_person 🧑‍🦳,
person_in_motorized_wheelchair_facing_right 🧑‍🦼‍➡️,
person_in_manual_wheelchair_facing_right 🧑‍🦽‍➡️, family_adult_adult_child 🧑‍🧑‍🧒,
family_adult_adult_child_child 🧑‍🧑‍🧒‍🧒, family_adult_child_child 🧑‍🧒‍🧒,
family_adult_child 🧑‍🧒, woman_with_beard 🧔‍♀️, man_with_beard 🧔‍♂️, person_with_headscarf 🧕,
woman_in_steamy_room 🧖‍♀️, man_in_steamy_room 🧖‍♂️, person_in_steamy_room 🧖,
woman_climbing 🧗‍♀️, man_climbing 🧗‍♂️, person_climbing 🧗, woman_in_lotus_position 🧘‍♀️,
man_in_lotus_position 🧘‍♂️, person_in_lotus_position 🧘, female_mage 🧙‍♀️, male_mage 🧙‍♂️,
female_fairy 🧚‍♀️, male_fairy 🧚‍♂️, female_vampire 🧛‍♀️, male_vampire 🧛‍♂️, female_elf 🧝‍♀️,
male_elf 🧝‍♂️, female_genie 🧞‍♀️, male_genie 🧞‍♂️, female_zombie 🧟‍♀️, male_zombie 🧟‍♂️,
one-piece_swimsuit 🩱, briefs 🩲, x-ray 🩻, yo-yo 🪀, harp 🪉, shovel 🪏, leafless_tree 🪾,
fingerprint 🫆, root_vegetable 🫜, splatter 🫟, face_with_bags_under_eyes 🫩, eject ⏏️,
black_right_pointing_double_triangle_with_vertical_bar ⏭️,
black_left_pointing_double_triangle_with_vertical_bar ⏮️,
black_right_pointing_triangle_with_double_vertical_bar ⏯️, double_vertical_bar ⏸️,
black_square_for_stop ⏹️, black_circle_for_record ⏺️, umbrella_with_rain_drops ☔,
radioactive_sign ☢️, biohazard_sign ☣️, white_frowning_face ☹️, staff_of_aesculapius ⚕️,
scales ⚖️, snowman_without_snow ⛄, thunder_cloud_and_rain ⛈️, helmet_with_white_cross ⛑️,
broken_chain ⛓️‍💥, umbrella_on_ground ⛱️, woman-bouncing-ball ⛹️‍♀️, man-bouncing-ball ⛹️‍♂️,
person_with_ball ⛹️, heavy_heart_exclamation_mark_ornament ❣️, bride_with_veil 👰,
man_with_turban 👳, guardsman 💂, ok_woman 🙆, satellite 🛰️, umbrella ☂️, snowman ☃️, email ✉️
`;
const BY_NAME = new Map(
  NAMES.split(",").map((pair) => {
    const [name = "", emoji = ""] = pair.trim().split(" ");
    return [name, emoji] as const;
  }),
);

/** The flag emoji of a two-letter country code: two regional indicator characters. */
const flagOf = (country: string) =>
  String.fromCodePoint(...Array.from(country, (it) => it.codePointAt(0)! - 0x61 + 0x1f1e6));

/**
 * The emoji for a name such as `:flag-de:` or `:male-technologist:`. The name of a custom emoji is returned
 * as text.
 */
export function findSlackEmoji(name: string): string {
  const plain = name.replace(/^:|:$/g, "").replace(/::?skin-tone-\d$/, "");
  const country = /^flag-([a-z]{2})$/.exec(plain)?.[1];
  return country ? flagOf(country) : (BY_NAME.get(plain) ?? findEmoji(name));
}
