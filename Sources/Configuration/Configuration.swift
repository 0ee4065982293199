internal import TOMLText
