"""What muscles of the anatomy figure do at rest, as textbooks of anatomy say: a coordinate, which way, and who."""

from __future__ import annotations

_TEXT = """
femur.flexion + | iliacus psoas_l3_transverse rectus_femoris sartorius tensor_fasciae_latae pectineus
    adductor_longus
femur.abduction + | sartorius tensor_fasciae_latae gluteus_medius_front gluteus_medius_middle gluteus_medius_back
    gluteus_minimus_front
tibia.flexion + | sartorius gracilis biceps_femoris_long biceps_femoris_short semimembranosus semitendinosus
    popliteus plantaris gastrocnemius_medial gastrocnemius_lateral
femur.abduction - | pectineus adductor_longus adductor_brevis adductor_magnus_proximal adductor_magnus_middle
    adductor_magnus_distal gracilis obturator_externus
femur.flexion - | adductor_magnus_ischial gluteus_maximus_upper gluteus_maximus_middle gluteus_maximus_lower
    biceps_femoris_long semimembranosus semitendinosus
femur.rotation - | gluteus_maximus_middle gluteus_medius_back gluteus_minimus_back piriformis quadratus_femoris
    gemellus_superior gemellus_inferior obturator_internus obturator_externus
femur.rotation + | gluteus_medius_front
tibia.flexion - | rectus_femoris vastus_intermedius vastus_lateralis vastus_medialis
talus.dorsiflexion - | gastrocnemius_medial gastrocnemius_lateral soleus plantaris tibialis_posterior
    peroneus_longus peroneus_brevis flexor_digitorum_longus
calcaneus.inversion + | tibialis_posterior tibialis_anterior flexor_hallucis_longus
talus.dorsiflexion + | tibialis_anterior peroneus_tertius extensor_digitorum_longus extensor_hallucis_longus
calcaneus.inversion - | peroneus_longus peroneus_brevis peroneus_tertius
toes.flexion - | extensor_digitorum_longus extensor_hallucis_longus extensor_digitorum_brevis
    extensor_hallucis_brevis
toes.flexion + | flexor_digitorum_longus flexor_hallucis_longus flexor_digitorum_brevis flexor_hallucis_brevis
lumbar3.flexion + | rectus_abdominis
thoracic12.flexion + | rectus_abdominis
lumbar2.side_bend + | external_oblique_5 internal_oblique_5
lumbar1.rotation - | external_oblique_2
lumbar4.rotation + | internal_oblique_2
lumbar3.flexion - | iliocostalis_lumborum_rib8 longissimus_thoracis_t8 longissimus_lumborum_l1
lumbar4.flexion - | iliocostalis_lumborum_l2 multifidus_l2_2
lumbar3.side_bend + | quadratus_lumborum_front_2_t12
lumbar4.side_bend + | psoas_l1_body
thoracic9.flexion - | spinalis_thoracis_t5
thoracic4.flexion - | semispinalis_thoracis_t2
thoracic4.rotation - | semispinalis_thoracis_t2
thoracic5.flexion - | multifidus_thoracis_t4
thoracic5.rotation - | multifidus_thoracis_t4
thoracic5.side_bend + | iliocostalis_thoracis_rib3
rib5.raising + | external_intercostal_4 levator_costae_5
rib8.raising + | external_intercostal_7
rib5.raising - | internal_intercostal_5
rib8.raising - | internal_intercostal_8
rib9.raising + | levator_costae_9 diaphragm_rib9
rib11.raising - | serratus_posterior_inferior_11
rib1.raising + | scalenus_anterior_c5 scalenus_medius_c5
rib2.raising + | scalenus_posterior_c6
cervical5.flexion + | sternocleidomastoid_sternal
cervical1.rotation - | sternocleidomastoid_sternal
cervical5.side_bend + | sternocleidomastoid_sternal
cervical2.flexion + | longus_capitis_c5
cervical4.flexion + | longus_colli_straight_t1
cervical6.side_bend + | scalenus_anterior_c4
cervical4.flexion - | splenius_capitis_t1
cervical1.rotation + | splenius_capitis_t1 obliquus_capitis_inferior
cervical3.flexion - | semispinalis_capitis_t1
cervical5.flexion - | semispinalis_cervicis_t2 multifidus_cervicis_c4
cervical4.side_bend + | longissimus_capitis_t1
skull.flexion - | rectus_capitis_posterior_major rectus_capitis_posterior_minor obliquus_capitis_superior
skull.flexion + | rectus_capitis_anterior
skull.side_bend + | rectus_capitis_lateralis
cervical3.side_bend + | trapezius_occiput
jaw.opening - | temporalis_front temporalis_back masseter_superficial masseter_deep medial_pterygoid
jaw.opening + | lateral_pterygoid digastric mylohyoid geniohyoid
clavicle.elevation + | trapezius_c7 levator_scapulae_c2
clavicle.protraction - | rhomboid_major_t3 trapezius_t3
scapula.upward_rotation + | trapezius_t8 serratus_anterior_7
clavicle.protraction + | serratus_anterior_4 pectoralis_minor_3
scapula.upward_rotation - | levator_scapulae_c3 rhomboid_major_t4
clavicle.elevation - | subclavius
humerus.flexion + | deltoid_clavicular_inner pectoralis_major_clavicular coracobrachialis biceps_short
humerus.abduction + | deltoid_acromial_front deltoid_acromial_back supraspinatus
humerus.flexion - | deltoid_spinal_inner latissimus_dorsi_t10 teres_major triceps_long
humerus.abduction - | pectoralis_major_rib4 latissimus_dorsi_t12 teres_major
humerus.rotation + | pectoralis_major_manubrium latissimus_dorsi_t10 teres_major subscapularis_upper
    subscapularis_middle
humerus.rotation - | infraspinatus_upper infraspinatus_lower teres_minor
ulna.flexion + | biceps_long biceps_short brachialis_outer brachioradialis pronator_teres
ulna.flexion - | triceps_long triceps_outer triceps_inner anconeus
radius.pronation - | biceps_long supinator
radius.pronation + | pronator_teres pronator_quadratus
hand.flexion + | flexor_carpi_radialis flexor_carpi_ulnaris palmaris_longus flexor_digitorum_superficialis_middle
hand.deviation + | flexor_carpi_radialis extensor_carpi_radialis_longus abductor_pollicis_longus
hand.deviation - | flexor_carpi_ulnaris extensor_carpi_ulnaris
hand.flexion - | extensor_carpi_radialis_longus extensor_carpi_radialis_brevis extensor_carpi_ulnaris
    extensor_digitorum_middle
index.flexion + | flexor_digitorum_superficialis_index lumbrical_index dorsal_interosseus_index
ring_tip.flexion + | flexor_digitorum_superficialis_ring
middle_tip.flexion + | flexor_digitorum_profundus_middle
little.flexion + | flexor_digitorum_profundus_little flexor_digiti_minimi_of_hand abductor_digiti_minimi_of_hand
index.flexion - | extensor_digitorum_index extensor_indicis
ring_tip.flexion - | extensor_digitorum_ring
little.flexion - | extensor_digiti_minimi
middle_tip.flexion - | lumbrical_middle dorsal_interosseus_middle
ring.flexion + | palmar_interosseus_ring
thumb_tip.flexion + | flexor_pollicis_longus flexor_pollicis_brevis
thumb_tip.flexion - | extensor_pollicis_longus
thumb.flexion - | extensor_pollicis_brevis
thumb.abduction + | abductor_pollicis_longus abductor_pollicis_brevis
thumb.flexion + | opponens_pollicis adductor_pollicis_transverse
thumb.abduction - | adductor_pollicis_oblique
"""


def actions() -> list[tuple[str, str, float]]:
    """Muscles of the left or the middle, coordinates, and signs of moment arms."""
    found = []
    for row in _TEXT.strip().replace("\n    ", " ").splitlines():
        what, who = row.split(" | ")
        coordinate, sign = what.split()
        found += [(muscle, coordinate, 1.0 if sign == "+" else -1.0) for muscle in who.split()]
    return found
