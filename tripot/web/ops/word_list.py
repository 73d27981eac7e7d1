"""The words of a pass: spelt the same in English and in French, and told apart by their first four letters."""

TEXT = """
accent album alphabet altitude anaconda angle animal atlas audience avalanche avenue badge ballet bandage
banjo baron bastion bikini biscuit bison blizzard bonus boulevard bouquet bracelet brave brioche bronze buffet
bungalow cabaret cactus cadet camp canal canyon capsule caramel cargo cascade casino catalogue chalet
champagne chance chef club cobra collage concert condor confetti contour corridor cortex cosmos crayon crocus
culture curry cycle dessert dialogue diesel digital disco divan dollar domino double dragon empire ensemble
excursion fable farce festival film force forum fragile fruit fusion gadget gambit garage gazelle golf gorge
grain grille guide habitat halo hangar hobby hockey horizon image impact indigo instant invention iris jaguar
jargon jazz jockey judo jungle junior kayak ketchup kimono kiwi koala label laser latitude lemming lion logo
lotus machine magma magnolia marathon melon mentor menu message million mimosa minute miracle mission moment
monument muscle mustang nation nature nectar noble nocturne nougat nuance oasis olive omelette orange page
palace palette panda panorama parachute passage pastel patience perfection phrase piano pirate pivot pizza
place plateau poncho portrait poster potion prairie prestige prince puma punch python question quiche quiz
radar radio rail reptile requiem restaurant robot rose route royal rugby safari salon sandwich sardine satire
sauna saxophone science script secret sextant silence silhouette simple slogan sofa solitude soprano sorbet
souvenir spectacle sport stable station studio sublime suite surface surprise table talent tango tapioca tarot
taxi tennis terrain ticket toast tornado torrent totem train transport triangle tribune triple trombone tunnel
turban unique vampire village violet vision vital volume vortex voyage wagon western yacht yoga zone
"""
WORDS = TEXT.split()
